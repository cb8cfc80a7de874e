//! Kinds of engines.

use crate::host_features::Host;
use capvec_timing::Params;

/// Most translations that are kept for one address.
pub const MAX_AT_ADDRESS: usize = 8;

/// What a translation depends on, apart from the code and the state of the vector unit.
#[derive(Debug, PartialEq)]
pub struct Kind {
    /// Instructions that it may use.
    pub host: Host,
    /// It counts the entries of blocks.
    pub count: bool,
    /// The core model: its parameters and VLEN.
    pub model: Option<(Params, u32)>,
    /// Size in bytes of the border, whose functions it calls by their distance.
    pub border: usize,
}
