//! File locks: of whole files (flock(2)) and of byte ranges (fcntl(2)).

pub(super) mod flock;
pub(super) mod record_lock;

use crate::base::charge::Charge;
use flock::Locks;
use record_lock::RecordLocks;
use std::rc::Rc;

/// The locks of a file, which all its descriptions share.
pub struct FileLocks {
    /// Of the whole file.
    pub(in crate::fs) whole: Locks,
    /// Of byte ranges.
    pub(in crate::fs) ranges: RecordLocks,
}

impl FileLocks {
    /// No locks; those of byte ranges will be charged here.
    pub fn new(charge: Charge) -> Rc<FileLocks> {
        Rc::new(FileLocks { whole: Locks::default(), ranges: RecordLocks::new(charge) })
    }
}
