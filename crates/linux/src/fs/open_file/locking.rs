//! Locks on open files.

use std::rc::Rc;

use super::OpenFile;
use crate::base::errno::{Errno, Result};
use crate::fs::locks::FileLocks;
use crate::fs::locks::record_lock::LockOwner;

impl OpenFile {
    /// The file's locks. Sockets, files of the anonymous inode (such as epoll's), standard streams of the host and virtual
    /// directories have none: every request succeeds there.
    pub(in crate::fs) fn locks(&self) -> Option<&Rc<FileLocks>> {
        let recorded = self.object().recorded();
        let place = || self.place()?.inode();
        match recorded.inode().map(|inode| &inode.0).or_else(place) {
            Some(inode) => Some(&inode.locks),
            None => recorded.own_locks(),
        }
    }

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

    /// Releases the locks of `owner` on the file, and lets waiters retry.
    pub(in crate::fs) fn release_record_locks(&self, owner: LockOwner) {
        if self.locks().is_some_and(|locks| locks.ranges.release(owner)) {
            self.object().recorded().note_unlocked();
        }
    }
}
