//! The code of a trace, and where it will be.

use super::link::Site;
use super::relocation::Relocation;
use capvec_timing::batch::Batch;
use std::sync::Arc;

/// Where the code will be, and the number of its first edge.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The address of the code.
    pub base: u64,
    /// Edges get numbers from here on.
    pub first_edge: u32,
}

/// The code of a trace.
pub struct Translation {
    /// The code, for the address that was given. It starts with the sequential entry.
    pub code: Vec<u8>,
    /// What in it depends on more than the guest's code.
    pub relocations: Vec<Relocation>,
    /// Offset of the entry for control by a redirection.
    pub redirected: usize,
    /// Offset of the entry for control from another variant.
    pub inner: usize,
    /// Its edges, in the order of their numbers.
    pub edges: Vec<Site>,
    /// The vector instructions that it counts late, if it has any operations. The code has the address.
    pub batch: Option<Arc<Batch>>,
}
