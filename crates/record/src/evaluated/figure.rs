//! One measured figure with what is computed from it.

use crate::derived::row::Derived;
use crate::row::Row;
use std::ops::Deref;

/// A row, and what is computed from it.
#[derive(Clone, Copy, Debug)]
pub struct Figure<'a> {
    /// The facts.
    pub row: &'a Row,
    /// What is computed from them.
    pub derived: &'a Derived,
}

impl<'a> Figure<'a> {
    pub(super) fn pairs(
        rows: &'a [Row],
        derived: &'a [Derived],
    ) -> impl Iterator<Item = Figure<'a>> {
        rows.iter().zip(derived).map(|(row, derived)| Figure { row, derived })
    }
}

impl Deref for Figure<'_> {
    type Target = Row;

    fn deref(&self) -> &Row {
        self.row
    }
}
