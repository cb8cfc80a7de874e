//! What is translated: a trace, which is blocks that follow each other in one piece of code.

use super::call_log::Calls;
use super::counting::Counting;
use crate::timed::Timed;
use capvec_sim::block::Block;
use serde::{Deserialize, Serialize};

/// A block of a trace.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Its number, for exits.
    pub number: u32,
    /// Its address stays the same as long as the code is used.
    pub block: &'a Block,
    /// What has been seen of it.
    pub seen: Seen,
}

/// What was seen of a block while it was interpreted under a core model. A translation is right without it, but slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Entering it often missed the modelled instruction cache, so that the host could not predict a branch for that.
    pub misses_fetching: bool,
    /// The same for its loads and the data cache.
    pub misses_loads: bool,
    /// The stack pointer was always a multiple of eight.
    pub stack_is_aligned: bool,
}

/// A trace to translate.
pub struct Source<'a> {
    /// Its blocks, at least one. Control can go from each to the next.
    pub steps: &'a [Step<'a>],
    /// Control can go from the last block to the first.
    pub loops: bool,
    /// The core model, if there is one.
    pub timed: Option<&'a Timed>,
    /// How block entries are counted.
    pub count: Counting,
    /// Report calls to this log.
    pub calls: Option<Calls<'a>>,
}
