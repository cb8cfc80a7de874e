//! What happens while every thread waits.

use crate::fs::FileRef;
use crate::kernel::{Kernel, Status};
use crate::notice::Notice;
use crate::thread::{State, Thread, Wait, Wake};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::rc::Weak;
use std::time::{Duration, Instant};

/// Cycles that are never reached: a sleep until then is one without end. At 1 GHz it is in 146 years.
const END_OF_TIME: u64 = 1 << 62;
/// Longest wait for the host at a time, so that the time limit is seen.
const HOST_STEP: Duration = Duration::from_millis(100);
/// The same while there are sockets of the host.
const SOCKET_STEP: Duration = Duration::from_millis(1);

impl Kernel {
    /// Nothing can run: goes to the time of the next event, or waits for the host.
    pub fn idle(&mut self) {
        self.account_time();
        let at = self.timers.next();
        if self.waits_for_host() {
            self.wait_for_host(at);
        } else {
            match at {
                Some(at) if self.devices.clock.is_host() => {
                    let rest = Duration::from_nanos(at.saturating_sub(self.now()));
                    std::thread::sleep(rest.min(HOST_STEP));
                }
                Some(at) if self.devices.clock.cycles_at(at) <= END_OF_TIME => {
                    let to = self.devices.clock.cycles_at(at);
                    self.idle_until(to);
                }
                _ => return self.deadlock(),
            }
        }
        self.tick();
        self.check_host();
    }

    /// Lets modelled time pass.
    fn idle_until(&mut self, cycles: u64) {
        let to = cycles.max(self.hart.cycles);
        self.idle_cycles += to - self.hart.cycles;
        (self.hart.cycles, self.accounted) = (to, to);
    }

    /// Whether a thread waits for input from the host.
    pub fn waits_for_host(&self) -> bool {
        let waits = |t: &Thread| matches!(t.state, State::Blocked(b) if b.on == Wait::Host);
        self.threads.values().any(waits)
    }

    /// Waits for input from the host, or until `at`. Virtual time passes meanwhile as real time does.
    fn wait_for_host(&mut self, at: Option<u64>) {
        let rest = at.map_or(HOST_STEP, |at| Duration::from_nanos(at.saturating_sub(self.now())));
        let mut step = rest.min(HOST_STEP);
        self.host_files.retain(|f| f.strong_count() > 0);
        let files: Vec<FileRef> = self.host_files.iter().filter_map(Weak::upgrade).collect();
        if files.iter().any(|f| f.object().inet().is_some()) {
            // They may also be waited for to become writable.
            step = step.min(SOCKET_STEP);
        }
        let wanted = PollFlags::IN;
        let hosts = files.iter().filter_map(|f| f.object().host_wait());
        let mut fds: Vec<PollFd<'_>> =
            hosts.map(|fd| PollFd::from_borrowed_fd(fd, wanted)).collect();
        let limit = Timespec { tv_sec: 0, tv_nsec: i64::from(step.subsec_nanos()) };
        let started = Instant::now();
        let ready = rustix::event::poll(&mut fds, Some(&limit)).unwrap_or(0);
        if ready > 0 && self.host_seen == self.hart.instret {
            // Ready, but not for what is waited for: no hurry.
            std::thread::sleep(SOCKET_STEP);
        }
        self.host_seen = self.hart.instret;
        if !self.devices.clock.is_host() {
            let passed = started.elapsed().min(rest).as_nanos() as u64;
            let now = self.now();
            let to = self.devices.clock.cycles_at(now.saturating_add(passed));
            self.idle_until(to.min(END_OF_TIME));
        }
        self.wake_where(Wake::Event, |_, on| on == Wait::Host);
    }

    fn deadlock(&mut self) {
        let line = |t: &Thread| {
            let name = t.call.map_or("nothing", |c| crate::sys::name_of(c.number));
            let comm = String::from_utf8_lossy(&t.comm);
            format!("{comm} (thread {} of process {}) in {name}", t.tid, t.pid)
        };
        let threads = self.threads.values().map(line).collect();
        self.tell(Notice::Deadlock { threads });
        self.outcome = Some(Status::Deadlock);
    }
}
