//! What code for x86-64 needs of the model, since it counts cycles itself.

use super::Timed;
use capvec_sim::timing::{Exit, Plan};
use capvec_timing::batch::{Batch, Item};
use capvec_timing::inline::Entry;
use capvec_timing::static_cost::StaticCost;
use std::ops::Range;

impl Timed {
    /// Host address of the model, for calls from generated code.
    pub fn address(&self) -> u64 {
        self.model.as_ptr() as u64
    }

    /// The memory of the model that generated code refers to.
    pub fn regions(&self) -> [Range<u64>; 5] {
        self.model[0].regions()
    }

    /// The static part of entering the block.
    pub fn entry(&self, start: u64, end: u64, plan: &Plan) -> Entry {
        self.model[0].entry(start, end, plan)
    }

    /// Host address of a branch's history counter; see `FirstOrder::counter`.
    pub fn counter(&self, end: u64) -> Option<u64> {
        self.model[0].counter(end)
    }

    /// Adds a vector instruction to a batch that is counted later.
    pub fn add(&self, batch: &mut Batch, item: Item) {
        self.model[0].add(batch, item);
    }

    /// What a vector instruction costs, if that is static.
    pub fn static_cost(&self, item: &Item) -> Option<StaticCost> {
        self.model[0].static_cost(item)
    }

    /// Ticks that a redirection at the end of a block costs, if no branch history decides.
    pub fn redirect_ticks(&self, exit: Exit) -> u64 {
        self.inline.branch.redirect_ticks(exit)
    }
}
