//! The queue of timed events.

use std::collections::BTreeMap;

/// The key of an entry: its time in nanoseconds of the monotonic clock, and a serial number.
pub type Key = (u64, u64);

/// A timed event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A thread's wait ends.
    Wait(i32),
    /// The `ITIMER_REAL` of a process expires.
    Alarm(i32),
    /// A timer of `timer_create`: process and number.
    Posix(i32, i32),
}

/// Entries by time; entries of the same time in order of insertion.
#[derive(Default)]
pub struct Timers {
    queue: BTreeMap<Key, Event>,
    serial: u64,
}

impl Timers {
    /// Adds an entry.
    pub fn add(&mut self, at: u64, event: Event) -> Key {
        self.serial += 1;
        let key = (at, self.serial);
        self.queue.insert(key, event);
        key
    }

    /// Removes an entry, if it is still there.
    pub fn cancel(&mut self, key: Key) {
        self.queue.remove(&key);
    }

    /// The time of the next event.
    pub fn next(&self) -> Option<u64> {
        self.queue.keys().next().map(|key| key.0)
    }

    /// Takes the first entry that is due at `now`.
    pub fn take_due(&mut self, now: u64) -> Option<(Key, Event)> {
        let entry = self.queue.first_entry().filter(|e| e.key().0 <= now)?;
        Some(entry.remove_entry())
    }
}
