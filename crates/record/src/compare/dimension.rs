//! The properties in which compared rows may differ.

use crate::Row;
use serde::Serialize;

/// A property in which rows may differ in addition to their keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    /// Target.
    Target,
    /// Core model.
    Core,
    /// The library.
    Subject,
    /// Vector register length.
    Vlen,
}

impl Dimension {
    /// All dimensions.
    pub const ALL: [Dimension; 4] =
        [Dimension::Target, Dimension::Core, Dimension::Subject, Dimension::Vlen];

    /// The name in options and tables.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::Target => "target",
            Dimension::Core => "core",
            Dimension::Subject => "subject",
            Dimension::Vlen => "vlen",
        }
    }

    /// Its value for a row.
    pub(super) fn of(self, row: &Row) -> String {
        match self {
            Dimension::Target => row.target.clone(),
            Dimension::Core => row.core.clone(),
            Dimension::Subject => row.subject.clone(),
            Dimension::Vlen if row.vlen == 0 => String::new(),
            Dimension::Vlen => row.vlen.to_string(),
        }
    }
}
