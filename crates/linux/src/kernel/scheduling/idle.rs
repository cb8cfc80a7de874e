//! Idle time: all threads wait.

use super::host_input::SOCKET_STEP;
use crate::fs::FileRef;
use crate::fs::abi::poll;
use crate::interface::{Notice, Status};
use crate::kernel::Kernel;
use crate::kernel::time::clock::Clock;
use crate::process::thread::{Thread, Wait, Wake};
use std::time::{Duration, Instant};

/// A cycle count that is never reached: a sleep until then never ends. At 1 GHz it is 146 years.
const END_OF_TIME: u64 = 1 << 62;
/// A time that is never reached, in nanoseconds (`KTIME_MAX` of Linux): with the long cycles of a slow core, it comes first.
const LAST_TIME: u64 = i64::MAX as u64;
/// Maximum duration of one wait for the host, so that the time limit is checked.
const HOST_STEP: Duration = Duration::from_millis(100);
/// Maximum time for which the guest is held for a pipe of the host while a thread could run.
const MAX_PAUSE: Duration = Duration::from_secs(1);

impl Kernel {
    /// No thread can run: advances to the time of the next event, or waits for the host.
    pub fn idle(&mut self) {
        self.account_time();
        let at = self.sched.timers.next();
        if self.tasks.waits_for_host() {
            self.wait_for_host(at);
        } else {
            match at {
                Some(at) if self.devices.clock.is_host() => {
                    let rest = Duration::from_nanos(at.saturating_sub(self.now()));
                    std::thread::sleep(rest.min(HOST_STEP));
                }
                Some(at) => match reachable(&self.devices.clock, at) {
                    Some(cycles) => self.idle_until(cycles),
                    None => return self.deadlock(),
                },
                None => return self.deadlock(),
            }
        }
        // No CPU time has passed.
        self.sched.accounted = self.devices.clock.cpu_base(self.hart.cycles);
        self.tick();
        self.check_host();
    }

    /// Advances modelled time.
    fn idle_until(&mut self, cycles: u64) {
        let to = cycles.max(self.hart.cycles);
        self.sched.idle_cycles += to - self.hart.cycles;
        self.hart.cycles = to;
    }

    /// Holds the whole guest until a pipe of the host has input, so that its timing does not decide which threads run
    /// meanwhile; returns whether there is input. Gives up soon: the writer may wait for the output of those threads.
    pub fn hold_for_input(&mut self, file: &FileRef) -> bool {
        let first = self.wake() == Wake::First && !file.nonblocking();
        if !first || self.sched.ready.is_empty() || !file.object().host_stream().is_host_pipe() {
            return false;
        }
        let started = Instant::now();
        while started.elapsed() < MAX_PAUSE && self.run.outcome.is_none() {
            if self.host.poll(HOST_STEP) && file.poll_ready().wanted(poll::IN) != 0 {
                return true;
            }
            self.check_host();
        }
        false
    }

    /// Waits for input from the host, which takes no virtual time. If none arrives within the real time until `at`,
    /// virtual time advances to `at`. A run then depends on the host's pace only where it must.
    fn wait_for_host(&mut self, at: Option<u64>) {
        let now = Instant::now();
        let same = self.host.seen == self.hart.instret;
        let started = self.host.waiting_since.filter(|_| same).unwrap_or(now);
        let rest = at.map_or(HOST_STEP, |at| {
            let all = Duration::from_nanos(at.saturating_sub(self.now()));
            if self.devices.clock.is_host() { all } else { all.saturating_sub(now - started) }
        });
        let ready = self.host.poll(rest.min(HOST_STEP));
        if ready && same {
            // Ready, but not for the event that a thread waits for: do not spin.
            std::thread::sleep(SOCKET_STEP);
        }
        self.host.waiting_since = Some(started);
        self.host.seen = self.hart.instret;
        if let Some(at) = at
            // Input that stays ready without a reader, such as a standard input at its end, does not count.
            && (!ready || same)
            && !self.devices.clock.is_host()
            && started.elapsed() >= Duration::from_nanos(at.saturating_sub(self.now()))
        {
            self.host.waiting_since = None;
            self.idle_until(self.devices.clock.cycles_at(at).min(END_OF_TIME));
        }
        self.sched.wake_where(&mut self.tasks, Wake::Event, |_, on| on == Wait::Host);
    }

    fn deadlock(&mut self) {
        let line = |t: &Thread| {
            let name = t.call.map_or("nothing", |c| crate::kernel::sys::name_of(c.number));
            let comm = String::from_utf8_lossy(&t.comm);
            format!("{comm} (thread {} of process {}) in {name}", t.tid, t.pid)
        };
        let threads = self.tasks.threads.values().map(line).collect();
        self.run.report(Notice::Deadlock { threads });
        self.run.outcome = Some(Status::Deadlock);
    }
}

/// The cycle count at which the clock shows `at`, if it ever does.
fn reachable(clock: &Clock, at: u64) -> Option<u64> {
    let cycles = clock.cycles_at(at);
    (at < LAST_TIME && cycles <= END_OF_TIME).then_some(cycles)
}
