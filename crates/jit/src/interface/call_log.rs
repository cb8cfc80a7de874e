//! The log of a profile, as generated code writes to it.

use capvec_sim::calls::Log;
use std::cell::RefCell;

/// The log of a profile, for generated code.
#[derive(Clone, Copy)]
pub struct Calls<'a> {
    /// Its address stays the same as long as the code is used.
    pub log: &'a RefCell<Log>,
    /// Host address of its cursor.
    pub cursor: u64,
    /// Host address of the function that passes its events to the observer.
    pub flush: u64,
    /// Each event is passed on at once.
    pub at_once: bool,
}
