//! What a sweep measures, and what it produces.

use super::gate::Gate;
use crate::capset::Wanted;
use crate::case::Case;
use capvec_record::{ConfigurationRecord, Row, TargetRecord};
use std::sync::Arc;

/// What to measure.
#[derive(Default)]
pub struct Plan {
    /// Algorithms.
    pub cases: Vec<Case>,
    /// Capability sets, with the cases that each is for.
    pub wanted: Vec<Wanted>,
    /// VLENs in bits.
    pub vlens: Vec<u32>,
    /// Message sizes in bytes.
    pub bytes: Vec<usize>,
    /// Vectors that must pass before figures count.
    pub gate: Option<Arc<dyn Gate>>,
    /// Whether to count the operations' instructions by class, on the simulator.
    pub mix: bool,
    /// Whether to divide the operations' cycles by function, on the simulator.
    pub functions: bool,
    /// Number of random layouts of memory in which everything is measured, on the simulator; 0 for the fixed layout.
    pub layouts: u64,
    /// Names of requested cases that the library does not have.
    pub not_offered: Vec<String>,
}

impl Plan {
    /// Number of configurations.
    pub fn len(&self) -> usize {
        self.vlens.len() * self.wanted.len()
    }

    /// Whether there is nothing to measure.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn configurations(&self) -> Vec<(u32, &Wanted)> {
        self.vlens.iter().flat_map(|v| self.wanted.iter().map(move |w| (*v, w))).collect()
    }

    pub(super) fn cases_of(&self, wanted: &Wanted) -> Vec<&Case> {
        wanted.cases.iter().filter_map(|i| self.cases.get(*i)).collect()
    }
}

/// Everything that a plan produced.
#[derive(Default)]
pub struct Swept {
    /// Figures, in the plan's order, whichever configuration ran first.
    pub rows: Vec<Row>,
    /// What each configuration was, and what the library reported in it.
    pub configurations: Vec<ConfigurationRecord>,
    /// `exact`, or the first difference found; empty on a target without a core model, whose record names its counter.
    pub self_check: String,
    /// Where it ran.
    pub target: TargetRecord,
}
