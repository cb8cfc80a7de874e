//! What a code generator returns.

use super::entry::Entry;
use super::portable::Portable;
use super::state::State;
use capvec_timing::batch::Batch;
use std::sync::Arc;

/// Why a block could not be translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The buffer is full: reset, then try again.
    Full,
    /// It can never be translated.
    Never,
}

/// A trace that has been translated.
pub struct Translated {
    /// Its entries.
    pub entry: Entry,
    /// The batch that its code refers to, if any, which must live as long.
    pub batch: Option<Arc<Batch>>,
    /// The state of the vector unit that the code tests at its entry.
    pub tested: Option<State>,
    /// The state at each vector instruction of the first block, if they are counted.
    pub states: Vec<State>,
    /// The code for other engines and address spaces, if it is to be kept.
    pub portable: Option<Portable>,
}
