//! Interval timers and POSIX timers of a process (setitimer(2), timer_create(2)).

use super::timer_queue::Key;
use std::collections::BTreeMap;

/// A timer: time of the next expiry and period, in nanoseconds of its clock; 0 for none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interval {
    /// Next expiry, if it is armed.
    pub at: Option<u64>,
    /// Period, 0 for one shot.
    pub period: u64,
}

/// How a POSIX timer notifies of its expiry.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Not at all.
    None,
    /// A signal to the process, with a value.
    Process(i32, u64),
    /// A signal to a thread, with a value.
    Thread(i32, i32, u64),
}

/// A timer of `timer_create`.
#[derive(Clone, Copy, Debug)]
pub struct PosixTimer {
    /// Whether absolute times refer to the real-time clock.
    pub realtime: bool,
    /// How it notifies.
    pub target: Target,
    /// Expiry and period, on the monotonic clock.
    pub interval: Interval,
    /// Its entry in the queue.
    pub key: Option<Key>,
    /// The overrun count.
    pub overrun: i32,
}

/// All timers of a process.
#[derive(Default)]
pub struct ProcessTimers {
    /// `ITIMER_REAL`, on the monotonic clock.
    pub real: Interval,
    /// Its entry in the queue.
    pub real_key: Option<Key>,
    /// `ITIMER_VIRTUAL` and `ITIMER_PROF`, on the process's CPU time. They differ only in their
    /// signal: all time is user time.
    pub cpu: [Interval; 2],
    /// `timer_create`.
    pub posix: BTreeMap<i32, PosixTimer>,
    /// The number that the next POSIX timer gets.
    pub next_id: i32,
}
