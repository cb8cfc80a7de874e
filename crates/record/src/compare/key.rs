//! What identifies a row, and what it is called.

use super::dimension::Dimension;
use crate::Row;
use serde::Serialize;

/// What identifies a row in both records, with its core and its library.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Key {
    /// Case.
    pub case: String,
    /// The operation: `enc`, `sign`, …
    pub direction: String,
    /// Message size in bytes; 0 where there is no message.
    pub bytes: usize,
    /// Vector register length in bits; 0 where none is known, or records are compared across it.
    pub vlen: u32,
    /// Capability set.
    pub capset: String,
    /// Core model; empty if there is none, or if records are compared across it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub core: String,
    /// The library; empty if records are compared across it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subject: String,
}

impl Key {
    /// That of a row; without what records are compared across.
    pub(super) fn of(row: &Row, across: &[Dimension]) -> Key {
        let fixed = |d| if across.contains(&d) { String::new() } else { d.of(row) };
        Key {
            case: row.case.clone(),
            direction: row.direction.clone(),
            bytes: row.bytes,
            vlen: if across.contains(&Dimension::Vlen) { 0 } else { row.vlen },
            capset: row.capset.clone(),
            core: fixed(Dimension::Core),
            subject: fixed(Dimension::Subject),
        }
    }

    /// Without core and library, in which rows of one key may differ so that they are not comparable.
    pub(super) fn id(&self) -> Key {
        Key { core: String::new(), subject: String::new(), ..self.clone() }
    }
}
