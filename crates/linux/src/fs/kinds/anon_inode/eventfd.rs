//! Event counters (eventfd(2)).

use std::cell::Cell;
use std::rc::Rc;

use super::anonymous_stat;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::events::Events;
use crate::fs::object::{FileObject, Pollable};
use crate::fs::open_file::{FileRef, OpenFile};
use crate::fs::shared_state::Shared;
use crate::fs::stat::Stat;
use crate::fs::vfs::Vfs;

struct EventFd {
    count: Cell<u64>,
    semaphore: bool,
    /// Grows with every change of the count, so that edge-triggered epoll reports each.
    generation: Cell<u64>,
    shared: Rc<Shared>,
}

impl EventFd {
    /// The greatest count: 2⁶⁴ − 1 is never reached.
    const MAX: u64 = u64::MAX - 1;

    fn changed(&self) {
        self.generation.set(self.generation.get() + 1);
        self.shared.note_activity();
    }
}

impl FileObject for EventFd {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat())
    }

    fn label(&self) -> Vec<u8> {
        b"anon_inode:[eventfd]".to_vec()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        let out = buf.get_mut(..8).ok_or(Errno::EINVAL)?;
        let count = self.count.get();
        if count == 0 {
            return Err(Errno::EAGAIN);
        }
        let taken = if self.semaphore { 1 } else { count };
        self.count.set(count - taken);
        out.copy_from_slice(&taken.to_le_bytes());
        self.changed();
        Ok(8)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        let bytes = data.first_chunk::<8>().ok_or(Errno::EINVAL)?;
        let add = u64::from_le_bytes(*bytes);
        if add == u64::MAX {
            return Err(Errno::EINVAL);
        }
        let sum = self.count.get().checked_add(add).filter(|&sum| sum <= Self::MAX);
        self.count.set(sum.ok_or(Errno::EAGAIN)?);
        self.changed();
        Ok(8)
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }
}

impl Pollable for EventFd {
    fn poll_ready(&self) -> Events {
        let count = self.count.get();
        let readable = if count > 0 { Events::IN.0 } else { 0 };
        let writable = if count < Self::MAX { Events::OUT.0 } else { 0 };
        Events(readable | writable)
    }

    fn generation(&self) -> u64 {
        self.generation.get()
    }
}

impl Vfs {
    /// `eventfd2`.
    ///
    /// # Errors
    /// `EINVAL` for a flag other than `EFD_SEMAPHORE` (1), `EFD_NONBLOCK` and `EFD_CLOEXEC`.
    pub fn eventfd(&self, initial: u32, flags: u32) -> Result<FileRef> {
        const SEMAPHORE: u32 = 1;
        if flags & !(SEMAPHORE | o::NONBLOCK | o::CLOEXEC) != 0 {
            return Err(Errno::EINVAL);
        }
        let object = EventFd {
            count: Cell::new(initial.into()),
            semaphore: flags & SEMAPHORE != 0,
            generation: Cell::new(0),
            shared: Rc::clone(&self.shared),
        };
        Ok(OpenFile::new(Box::new(object), o::RDWR | (flags & o::NONBLOCK)))
    }
}
