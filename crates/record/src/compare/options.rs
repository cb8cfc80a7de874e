//! What is compared, and what is a regression.

use super::dimension::Dimension;
use crate::Row;
use serde::Serialize;

/// A figure that can be compared. Less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// Retired instructions of an operation.
    Insns,
    /// Modelled cycles of an operation.
    Cycles,
    /// Nanoseconds of an operation by a clock.
    Time,
}

impl Figure {
    /// All figures.
    pub const ALL: [Figure; 3] = [Figure::Insns, Figure::Cycles, Figure::Time];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Insns => "insns/op",
            Figure::Cycles => "cycles/op",
            Figure::Time => "ns/op",
        }
    }

    /// Its value in a row.
    pub(super) fn of(self, row: &Row) -> Option<f64> {
        let value = match self {
            Figure::Insns => row.insns_per_op,
            Figure::Cycles => row.cycles_per_op,
            Figure::Time => row.ns_per_op,
        };
        // Where there is a clock, it decides: a machine's own counters include more than the code.
        let decides = row.ns_per_op.is_some() == (self == Figure::Time);
        value.filter(|v| decides && v.is_finite())
    }
}

/// Which rows and figures are compared, and what is a regression.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Figures that grow by more than this fraction are regressions; with `None` no figure is.
    pub fail_over: Option<f64>,
    /// Figures to compare; all if empty.
    pub figures: Vec<Figure>,
    /// What may differ between the records.
    pub across: Vec<Dimension>,
    /// Whether rows of the old record may be missing from the new one.
    pub allow_missing: bool,
}
