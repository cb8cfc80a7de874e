//! The state of the accounting along a trace.

use super::deferred::Deferred;
use super::deferred_vector::VectorCycles;
use super::front_end_state::Fetching;
use crate::timed::Timed;
use crate::x64::runtime::Runtime;
use capvec_timing::batch::Batch;

/// What has been counted at the position for which code is being generated, and what has not.
pub struct Cycles<'a> {
    /// The ticks that are counted where code leaves the trace.
    pub deferred: Deferred<'a>,
    /// What is known about the front end.
    pub fetching: Fetching,
    /// Vector instructions that have not been counted.
    pub vector: VectorCycles,
    pub runtime: &'a Runtime,
}

impl<'a> Cycles<'a> {
    /// At a trace's entry. Vector instructions are counted by way of the batch at this address.
    pub fn new(timed: Option<&'a Timed>, runtime: &'a Runtime, batch_address: u64) -> Cycles<'a> {
        let deferred = Deferred { timed, ticks: 0 };
        let vector = VectorCycles::new(batch_address);
        Cycles { deferred, fetching: Fetching::default(), vector, runtime }
    }

    /// The core model, if there is one.
    pub fn timed(&self) -> Option<&'a Timed> {
        self.deferred.timed
    }

    /// The vector instructions that generated code counts by way of the batch.
    pub fn into_batch(self) -> Batch {
        self.vector.batch
    }
}
