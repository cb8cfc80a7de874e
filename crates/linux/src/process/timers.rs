//! Interval timers and POSIX timers of a process (setitimer(2), timer_create(2)), and their expiry.

use super::timer_queue::{Event, Key, Timers};
use crate::signal::{Detail, SigInfo, code, sig};
use std::collections::BTreeMap;

/// A timer: time of the next expiry and period, in nanoseconds of its clock.
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

/// Who gets the signal of a timer.
#[derive(Clone, Copy, Debug)]
pub enum Recipient {
    /// This process.
    Process(i32),
    /// This thread.
    Thread(i32),
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

impl ProcessTimers {
    /// `ITIMER_REAL` has expired: sets its next expiry.
    pub fn expire_real(&mut self, queue: &mut Timers, pid: i32, now: u64) {
        let (at, period) = (self.real.at, self.real.period);
        self.real.at = at.and_then(|at| next_expiry(at, period, now)).map(|(next, _)| next);
        self.real_key = self.real.at.map(|at| queue.add(at, Event::Alarm(pid)));
    }

    /// A POSIX timer that was due at `at` has expired: sets its next expiry, and returns whom it notifies and how.
    pub fn expire_posix(
        &mut self,
        queue: &mut Timers,
        (pid, id): (i32, i32),
        at: u64,
        now: u64,
    ) -> Option<(Recipient, SigInfo)> {
        let timer = self.posix.get_mut(&id)?;
        let next = next_expiry(at, timer.interval.period, now);
        timer.overrun = next.map_or(0, |(_, overruns)| overruns.min(i32::MAX as u64) as i32);
        timer.interval.at = next.map(|(at, _)| at);
        timer.key = timer.interval.at.map(|at| queue.add(at, Event::Posix(pid, id)));
        let (recipient, signal, value) = match timer.target {
            Target::None => return None,
            Target::Process(signal, value) => (Recipient::Process(pid), signal, value),
            Target::Thread(tid, signal, value) => (Recipient::Thread(tid), signal, value),
        };
        let detail = Detail::Timer(id, timer.overrun, value);
        Some((recipient, SigInfo { signal, code: code::TIMER, detail }))
    }

    /// The signals of the timers of CPU time that have expired at `now`; sets their next expiries.
    pub fn expire_cpu(&mut self, now: u64) -> impl Iterator<Item = i32> + use<> {
        let mut signals = [None; 2];
        for (i, timer) in self.cpu.iter_mut().enumerate() {
            if timer.at.is_some_and(|at| at <= now) {
                timer.at = (timer.period != 0).then(|| now.saturating_add(timer.period));
                signals[i] = Some([sig::VTALRM, sig::PROF][i]);
            }
        }
        signals.into_iter().flatten()
    }
}

/// The next expiry after `now` of a timer that was due at `at`, and the number of overruns. `None` for a timer that
/// expires once, and for one whose next expiry overflows the clock: at the clock's end, it would expire again and again.
fn next_expiry(at: u64, period: u64, now: u64) -> Option<(u64, u64)> {
    let overruns = now.saturating_sub(at).checked_div(period)?;
    let next = at.checked_add(period.checked_mul(overruns + 1)?)?;
    Some((next, overruns))
}

#[cfg(test)]
mod tests {
    use super::next_expiry;

    #[test]
    fn a_timer_expires_later_or_never() {
        assert_eq!(next_expiry(10, 0, 25), None);
        assert_eq!(next_expiry(10, 5, 10), Some((15, 0)));
        assert_eq!(next_expiry(10, 5, 24), Some((25, 2)));
        // Near the end of the clock, the next expiry is later than now, or the timer has ended.
        for now in [u64::MAX - 1, u64::MAX] {
            for period in [1, 2, 1 << 61, u64::MAX] {
                let next = next_expiry(1_000_000_000, period, now);
                assert!(next.is_none_or(|(at, _)| at > now), "{now} {period}: {next:?}");
            }
        }
    }
}
