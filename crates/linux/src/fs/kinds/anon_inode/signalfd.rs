//! signalfd descriptors (signalfd(2)).
//!
//! Both readiness and the signals that are read depend on the caller: they are pending signals of the process that
//! reads. The process layer dequeues them, and sets here which signals are pending for the calling thread.

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

/// An open signalfd descriptor.
pub struct SignalFd {
    mask: Cell<u64>,
    shared: Rc<Shared>,
}

impl SignalFd {
    /// The descriptor of an open file.
    ///
    /// # Errors
    /// `EINVAL` for another kind of file.
    pub fn of(file: &OpenFile) -> Result<&SignalFd> {
        file.kind().ok_or(Errno::EINVAL)
    }

    /// The signals that can be read.
    #[must_use]
    pub fn mask(&self) -> u64 {
        self.mask.get()
    }

    /// Sets the signals that can be read.
    pub fn set_mask(&self, mask: u64) {
        self.mask.set(mask);
        self.shared.note_activity();
    }
}

impl Drop for SignalFd {
    fn drop(&mut self) {
        let descriptors = &self.shared.signals.descriptors;
        descriptors.set(descriptors.get() - 1);
    }
}

impl FileObject for SignalFd {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat())
    }

    fn label(&self) -> Vec<u8> {
        b"anon_inode:[signalfd]".to_vec()
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }
}

impl Pollable for SignalFd {
    fn poll_ready(&self) -> Events {
        let ready = self.shared.signals.pending.get() & self.mask.get() != 0;
        if ready { Events::IN } else { Events::default() }
    }

    fn generation(&self) -> u64 {
        self.shared.signals.generation.get()
    }
}

impl Vfs {
    /// `signalfd4` without a descriptor.
    ///
    /// # Errors
    /// `EINVAL` for a flag other than `SFD_NONBLOCK` and `SFD_CLOEXEC`.
    pub fn signalfd(&self, mask: u64, flags: u32) -> Result<FileRef> {
        if flags & !(o::NONBLOCK | o::CLOEXEC) != 0 {
            return Err(Errno::EINVAL);
        }
        let descriptors = &self.shared.signals.descriptors;
        descriptors.set(descriptors.get() + 1);
        let object = SignalFd { mask: Cell::new(mask), shared: Rc::clone(&self.shared) };
        Ok(OpenFile::new(Box::new(object), o::RDWR | (flags & o::NONBLOCK)))
    }

    /// Whether any signalfd descriptor is open.
    #[must_use]
    pub fn has_signalfds(&self) -> bool {
        self.shared.signals.descriptors.get() > 0
    }

    /// Sets the signals pending for the calling thread.
    pub fn set_pending_signals(&self, pending: u64) {
        self.shared.signals.pending.set(pending);
    }

    /// Notes that a signal has been sent.
    pub fn note_signal(&self) {
        let generation = &self.shared.signals.generation;
        generation.set(generation.get() + 1);
        self.shared.note_activity();
    }
}
