//! A record with what is computed from it.

use super::figure::Figure;
use crate::derived::explanation::Explanation;
use crate::derived::fit::Fit;
use crate::derived::row::Derived;
use crate::record::Record;
use std::ops::Deref;

/// A record, and what is computed from it. [`Record::evaluate`] makes it. Its facts cannot be changed, so what was computed stays
/// true of them.
#[derive(Clone, Debug)]
pub struct Evaluated {
    pub(crate) facts: Record,
    /// For each row.
    pub(crate) derived: Vec<Derived>,
    /// For each row of `openssl speed`.
    pub(crate) derived_speed: Vec<Derived>,
    pub(crate) fits: Vec<Fit>,
    pub(crate) explanations: Vec<Explanation>,
}

impl Deref for Evaluated {
    type Target = Record;

    fn deref(&self) -> &Record {
        &self.facts
    }
}

impl Evaluated {
    /// The facts alone.
    pub fn into_facts(self) -> Record {
        self.facts
    }

    /// The rows with what is computed from them.
    pub fn figures(&self) -> impl Iterator<Item = Figure<'_>> {
        Figure::pairs(&self.facts.rows, &self.derived)
    }

    /// The rows of `openssl speed` with what is computed from them.
    pub fn speed_figures(&self) -> impl Iterator<Item = Figure<'_>> {
        Figure::pairs(&self.facts.speed, &self.derived_speed)
    }
}
