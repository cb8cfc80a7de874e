//! Vector instructions that are counted later.

use super::uncounted::StaticTicks;
use capvec_timing::batch::Batch;

/// Vector instructions that have not been counted at the position for which code is being generated.
pub struct VectorCycles {
    /// Those that are counted by a call.
    pub batch: Batch,
    /// Final address of the batch.
    pub address: u64,
    /// Whether a part of the batch has not been counted.
    pub pending: bool,
    /// The ticks of the others.
    pub due: StaticTicks,
}

impl VectorCycles {
    /// Nothing yet.
    pub fn new(address: u64) -> VectorCycles {
        VectorCycles {
            batch: Batch::default(),
            address,
            pending: false,
            due: StaticTicks::default(),
        }
    }
}
