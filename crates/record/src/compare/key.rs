//! What identifies a row.

use super::dimension::Dimension;
use crate::Row;
use serde::Serialize;

/// What identifies a row in both records.
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
}

impl Key {
    /// That of a row; without VLEN if records are compared across it.
    pub(super) fn of(row: &Row, across: &[Dimension]) -> Key {
        Key {
            case: row.case.clone(),
            direction: row.direction.clone(),
            bytes: row.bytes,
            vlen: if across.contains(&Dimension::Vlen) { 0 } else { row.vlen },
            capset: row.capset.clone(),
        }
    }
}
