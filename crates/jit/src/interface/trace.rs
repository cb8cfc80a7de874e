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
    /// Which modelled caches it often misses.
    pub misses: Misses,
}

/// Whether a block often misses the modelled caches, so that the host could not predict a branch for its misses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misses {
    /// Entering it often misses the instruction cache.
    pub fetching: bool,
    /// Its loads often miss the data cache.
    pub loads: bool,
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
