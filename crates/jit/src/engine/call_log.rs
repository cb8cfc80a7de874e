//! The log of calls, for a profile.

use crate::interface::call_log::Calls;
use capvec_sim::Hart;
use capvec_sim::block::Block;
use capvec_sim::calls::{Log, Observer};
use std::cell::RefCell;

/// The log of calls, and the function that empties it.
pub struct CallLog {
    /// Generated code has its address.
    log: Box<RefCell<Log>>,
    cursor: u64,
    flush: u64,
    at_once: bool,
}

impl CallLog {
    /// An empty log; `flush` is the address of the function by which generated code empties it. `at_once`: the observer gets
    /// each event before anything else happens.
    pub fn new(observer: Box<dyn Observer>, flush: u64, at_once: bool) -> CallLog {
        let log = Box::new(RefCell::new(Log::new(observer)));
        let cursor = log.borrow_mut().cursor();
        CallLog { log, cursor, flush, at_once }
    }

    /// The log, for generated code.
    pub fn for_code(&self) -> Calls<'_> {
        let CallLog { log, cursor, flush, at_once } = self;
        Calls { log, cursor: *cursor, flush: *flush, at_once: *at_once }
    }

    /// Generated code starts to run, with `left` instructions in its budget.
    pub fn begin(&self, h: &Hart, left: i64) {
        self.log.borrow_mut().set_end(h.instret.wrapping_add_signed(left));
    }

    /// The block has been interpreted to its end.
    pub fn after(&self, block: &Block, h: &Hart) {
        let mut log = self.log.borrow_mut();
        log.after(block, h);
        if self.at_once {
            log.flush();
        }
    }

    /// Passes all events to the observer.
    pub fn flush(&self) {
        self.log.borrow_mut().flush();
    }
}
