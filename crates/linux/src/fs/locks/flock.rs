//! Locks of whole files by open descriptions (flock(2)).

use std::cell::{Cell, RefCell};

use crate::base::errno::{Errno, Result};

/// The locks of a file: the numbers of the descriptions that hold one. An exclusive lock is the only one.
#[derive(Default)]
pub(crate) struct Locks {
    holders: RefCell<Vec<u64>>,
    exclusive: Cell<bool>,
}

impl Locks {
    /// Releases the lock of description `who`; returns whether it held one.
    pub fn release(&self, who: u64) -> bool {
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
    pub fn take(&self, who: u64, exclusive: bool) -> Result<()> {
        let mut holders = self.holders.borrow_mut();
        if !holders.is_empty() && (exclusive || self.exclusive.get()) {
            return Err(Errno::EAGAIN);
        }
        holders.push(who);
        self.exclusive.set(exclusive);
        Ok(())
    }
}
