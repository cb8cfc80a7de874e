//! What is asked for.

use crate::case::Case;
use capvec_timing::Core;

/// What to explore.
pub struct Request {
    /// The core.
    pub core: Core,
    /// The capability set that extensions are added to.
    pub base: String,
    /// What is added, each alone: extensions joined by `_`.
    pub with: Vec<String>,
    /// Algorithms.
    pub cases: Vec<Case>,
    /// Message sizes in bytes.
    pub bytes: Vec<usize>,
    /// VLENs in bits, in addition to the core's own.
    pub vlens: Vec<u32>,
    /// Cycles that the new instructions might take.
    pub latencies: Vec<u32>,
}
