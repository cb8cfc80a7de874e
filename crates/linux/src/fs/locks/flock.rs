//! Locks of whole files by open descriptions (flock(2)).

use std::cell::{Cell, RefCell};

use crate::base::errno::{Errno, Result};
use crate::fs::open_file::OpenFile;

/// The locks of a file: the numbers of the descriptions that hold one. An exclusive lock is the only one.
#[derive(Default)]
pub(crate) struct Locks {
    holders: RefCell<Vec<u64>>,
    exclusive: Cell<bool>,
}

impl Locks {
    /// Releases the lock of description `who`; returns whether it held one.
    fn release(&self, who: u64) -> bool {
        let mut holders = self.holders.borrow_mut();
        let before = holders.len();
        holders.retain(|holder| *holder != who);
        if holders.is_empty() {
            *holders = Vec::new();
            self.exclusive.set(false);
        }
        holders.len() < before
    }

    /// Gives description `who` a lock in place of its old one.
    fn take(&self, who: u64, exclusive: bool) -> Result<()> {
        let mut holders = self.holders.borrow_mut();
        if !holders.is_empty() && (exclusive || self.exclusive.get()) {
            return Err(Errno::EAGAIN);
        }
        holders.push(who);
        self.exclusive.set(exclusive);
        Ok(())
    }
}

impl OpenFile {
    /// Locks the file, exclusively or not, or unlocks it.
    ///
    /// # Errors
    /// `EAGAIN` while others hold a conflicting lock; its own is released then. `EBADF` on `O_PATH`.
    pub fn lock(&self, exclusive: Option<bool>) -> Result<()> {
        if self.is_path() {
            return Err(Errno::EBADF);
        }
        self.unlock();
        match (self.locks(), exclusive) {
            (Some(locks), Some(exclusive)) => locks.whole.take(self.number(), exclusive),
            _ => Ok(()),
        }
    }

    /// Releases its lock, and lets waiters retry.
    pub(in crate::fs) fn unlock(&self) {
        if self.locks().is_some_and(|locks| locks.whole.release(self.number())) {
            self.object().recorded().note_unlocked();
        }
    }
}
