//! CPU time, and the expiry of the timers of processes.

use crate::kernel::Kernel;
use crate::process::timer_queue::Event;
use crate::process::timers::Target;
use crate::signal::{Detail, SigInfo, code, sig};

impl Kernel {
    /// The basis of CPU time: modelled cycles, or the host's time in cycles.
    pub fn cpu_base(&self) -> u64 {
        let clock = &self.devices.clock;
        if clock.is_host() { clock.cycles_at(self.now()) } else { self.hart.cycles }
    }

    /// Cycles of the current thread that have not been accounted.
    pub fn unaccounted(&self) -> u64 {
        self.cpu_base().saturating_sub(self.sched.accounted)
    }

    /// CPU time of a process in cycles.
    pub fn cpu_cycles(&self, pid: i32) -> u64 {
        let Some(p) = self.tasks.processes.get(&pid) else { return 0 };
        let threads = p.threads.iter().filter_map(|t| self.tasks.threads.get(t));
        let unaccounted = match self.tasks.threads.get(&self.tasks.current) {
            Some(t) if t.pid == pid => self.unaccounted(),
            _ => 0,
        };
        p.past_cycles + threads.map(|t| t.cycles).sum::<u64>() + unaccounted
    }

    /// CPU time of a process in nanoseconds.
    pub fn cpu_time(&self, pid: i32) -> u64 {
        self.devices.clock.ns_of(self.cpu_cycles(pid))
    }

    /// Cycles until a CPU timer of the current process expires.
    pub fn cpu_timer_distance(&self) -> Option<u64> {
        let p = self.tasks.processes.get(&self.tasks.threads.get(&self.tasks.current)?.pid)?;
        let at = p.timers.cpu.iter().filter_map(|t| t.at).min()?;
        let now = self.cpu_cycles(p.pid);
        Some(self.devices.clock.cycles_at(at).saturating_sub(now).max(1))
    }

    /// Handles expired CPU timers of the current process.
    pub fn check_cpu_timers(&mut self) {
        let Some(t) = self.tasks.threads.get(&self.tasks.current) else { return };
        let pid = t.pid;
        let armed = |p: &crate::process::Process| p.timers.cpu.iter().any(|t| t.at.is_some());
        if !self.tasks.processes.get(&pid).is_some_and(armed) {
            return;
        }
        let now = self.cpu_time(pid);
        for (which, signal) in [sig::VTALRM, sig::PROF].into_iter().enumerate() {
            let Some(p) = self.tasks.processes.get_mut(&pid) else { return };
            let timer = &mut p.timers.cpu[which];
            if timer.at.is_some_and(|at| at <= now) {
                timer.at = (timer.period != 0).then(|| now.saturating_add(timer.period));
                // A standard signal always fits the queue.
                let _ = self.send_to_process(pid, SigInfo::kernel(signal));
            }
        }
    }

    /// Handles the expiry of a process's `ITIMER_REAL`.
    pub fn alarm(&mut self, pid: i32) {
        let now = self.now();
        let Some(p) = self.tasks.processes.get_mut(&pid) else { return };
        let real = &mut p.timers.real;
        real.at = real.at.and_then(|at| next_expiry(at, real.period, now)).map(|(next, _)| next);
        p.timers.real_key = real.at.map(|at| self.sched.timers.add(at, Event::Alarm(pid)));
        let _ = self.send_to_process(pid, SigInfo::kernel(sig::ALRM));
    }

    /// Handles the expiry of a POSIX timer that was due at `at`.
    pub fn posix_timer(&mut self, pid: i32, id: i32, at: u64) {
        let now = self.now();
        let Some(p) = self.tasks.processes.get_mut(&pid) else { return };
        let Some(timer) = p.timers.posix.get_mut(&id) else { return };
        let next = next_expiry(at, timer.interval.period, now);
        timer.overrun = next.map_or(0, |(_, overruns)| overruns.min(i32::MAX as u64) as i32);
        timer.interval.at = next.map(|(at, _)| at);
        timer.key = timer.interval.at.map(|at| self.sched.timers.add(at, Event::Posix(pid, id)));
        let (overrun, target) = (timer.overrun, timer.target);
        let info = |signal, value| {
            let detail = Detail::Timer(id, overrun, value);
            SigInfo { signal, code: code::TIMER, detail }
        };
        // When the queue is full the expiry is lost, as on Linux.
        let _ = match target {
            Target::None => Ok(()),
            Target::Process(signal, value) => self.send_to_process(pid, info(signal, value)),
            Target::Thread(tid, signal, value) => self.send_to_thread(tid, info(signal, value)),
        };
    }
}

/// The next expiry after `now` of a timer that was due at `at`, and the number of overruns. `None` for a timer that
/// expires once, and for one whose next expiry overflows the clock: at its end it would expire again and again.
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
