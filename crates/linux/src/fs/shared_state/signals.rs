//! What signalfd descriptors share.

use std::cell::Cell;

/// The state that all signalfd descriptors share.
#[derive(Default)]
pub(crate) struct Signals {
    /// Signals pending for the calling thread.
    pub pending: Cell<u64>,
    /// Changes with every signal that is sent.
    pub generation: Cell<u64>,
    /// The number of descriptors.
    pub descriptors: Cell<u32>,
}
