//! Timer descriptors (timerfd_create(2)) over the guest's clocks.

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

/// A timer that can be read and polled. Times are nanoseconds.
pub struct TimerFd {
    realtime: bool,
    /// Next expiry on the monotonic clock.
    next: Cell<Option<u64>>,
    interval: Cell<u64>,
    generation: Cell<u64>,
    shared: Rc<Shared>,
}

/// State of a timer: time to the next expiry (0 when disarmed) and interval (0 for one shot), in
/// nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerSetting {
    /// Time to the next expiry.
    pub value: u64,
    /// Period after that.
    pub interval: u64,
}

impl TimerFd {
    /// The timer of an open file.
    ///
    /// # Errors
    /// `EINVAL` for another kind of file.
    pub fn of(file: &OpenFile) -> Result<&TimerFd> {
        file.kind().ok_or(Errno::EINVAL)
    }

    fn now(&self) -> u64 {
        self.shared.platform().monotonic_ns()
    }

    /// `timerfd_gettime`.
    #[must_use]
    pub fn get(&self) -> TimerSetting {
        let now = self.now();
        let interval = self.interval.get();
        let value = match self.next.get() {
            None => 0,
            Some(next) if next > now => next - now,
            Some(_) if interval == 0 => 0,
            Some(next) => interval - (now - next) % interval,
        };
        TimerSetting { value, interval }
    }

    /// `timerfd_settime`; returns the former setting. With `absolute`, `value` is a time of the
    /// timer's clock.
    pub fn set(&self, setting: TimerSetting, absolute: bool) -> TimerSetting {
        let old = self.get();
        let now = self.now();
        let next = match (setting.value, absolute) {
            (0, _) => None,
            (value, false) => Some(now.saturating_add(value)),
            (value, true) if self.realtime => {
                let wall = self.shared.platform().now();
                let wall = (wall.sec.max(0) as u64)
                    .saturating_mul(1_000_000_000)
                    .saturating_add(wall.nsec.into());
                Some(now.saturating_add(value.saturating_sub(wall)))
            }
            (value, true) => Some(value),
        };
        self.next.set(next);
        self.interval.set(setting.interval);
        self.generation.set(self.generation.get() + 1);
        self.shared.note_activity();
        old
    }

    /// Expirations not yet read.
    fn expired(&self) -> u64 {
        match (self.next.get(), self.interval.get()) {
            (Some(next), _) if next > self.now() => 0,
            (None, _) => 0,
            (Some(_), 0) => 1,
            (Some(next), interval) => (self.now() - next) / interval + 1,
        }
    }
}

impl FileObject for TimerFd {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat())
    }

    fn label(&self) -> Vec<u8> {
        b"anon_inode:[timerfd]".to_vec()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        let out = buf.get_mut(..8).ok_or(Errno::EINVAL)?;
        let count = self.expired();
        if count == 0 {
            return Err(Errno::EAGAIN);
        }
        out.copy_from_slice(&count.to_le_bytes());
        let interval = self.interval.get();
        let following = self.next.get().and_then(|n| n.checked_add(count.checked_mul(interval)?));
        self.next.set(following.filter(|_| interval > 0));
        Ok(8)
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }
}

impl Pollable for TimerFd {
    fn poll_ready(&self) -> Events {
        if self.expired() > 0 { Events::IN } else { Events::default() }
    }

    fn deadline(&self) -> Option<u64> {
        self.next.get()
    }

    fn generation(&self) -> u64 {
        self.generation.get().wrapping_add(self.next.get().unwrap_or(0))
    }
}

impl Vfs {
    /// `timerfd_create`; absolute times refer to the wall clock with `realtime`, else to the
    /// monotonic clock. `flags` are `TFD_NONBLOCK` and `TFD_CLOEXEC`.
    ///
    /// # Errors
    /// `EINVAL` for another flag.
    pub fn timerfd(&self, realtime: bool, flags: u32) -> Result<FileRef> {
        if flags & !(o::NONBLOCK | o::CLOEXEC) != 0 {
            return Err(Errno::EINVAL);
        }
        let object = TimerFd {
            realtime,
            next: Cell::new(None),
            interval: Cell::new(0),
            generation: Cell::new(0),
            shared: Rc::clone(&self.shared),
        };
        Ok(OpenFile::new(Box::new(object), o::RDWR | (flags & o::NONBLOCK)))
    }
}
