//! Time passes: CPU time is accounted, and timers expire.

use crate::interface::Status;
use crate::kernel::Kernel;
use crate::process::Process;
use crate::process::thread::Wake;
use crate::process::timer_queue::Event;
use crate::process::timers::Recipient;
use crate::signal::{SigInfo, sig};

impl Kernel {
    /// Adds the cycles since the last call to the thread that ran.
    pub fn account_time(&mut self) {
        let cycles = self.cpu_time().unaccounted;
        self.sched.accounted = self.devices.clock.cpu_base(self.hart.cycles);
        if let Some(t) = self.tasks.threads.get_mut(&self.tasks.current) {
            t.cycles += cycles;
        }
    }

    /// Updates the clocks and handles timers that are due.
    pub fn tick(&mut self) {
        self.devices.clock.set_cycles(self.hart.cycles);
        if self.sched.timers.next().is_some() {
            let now = self.now();
            while let Some((key, event)) = self.sched.timers.take_due(now) {
                self.timed_event(key.0, event);
            }
        }
        self.check_cpu_timers();
        if self.hart.instret >= self.run.max_insns {
            self.run
                .stop(Status::InstructionLimit, "the instruction limit (--max-insns) is reached");
        }
    }

    /// Handles an event that was due at `at`.
    fn timed_event(&mut self, at: u64, event: Event) {
        let now = self.now();
        let queue = &mut self.sched.timers;
        // When the queue is full the signal of a timer is lost, as on Linux; a standard signal always fits.
        match event {
            Event::Wait(tid) => self.sched.wake_thread(&mut self.tasks, tid, Wake::Timeout),
            Event::Alarm(pid) => {
                let Some(p) = self.tasks.processes.get_mut(&pid) else { return };
                p.timers.expire_real(queue, pid, now);
                let _ = self.send_to_process(pid, SigInfo::kernel(sig::ALRM));
            }
            Event::Posix(pid, id) => {
                let Some(p) = self.tasks.processes.get_mut(&pid) else { return };
                let _ = match p.timers.expire_posix(queue, (pid, id), at, now) {
                    None => Ok(()),
                    Some((Recipient::Process(pid), info)) => self.send_to_process(pid, info),
                    Some((Recipient::Thread(tid), info)) => self.send_to_thread(tid, info),
                };
            }
        }
    }

    /// Sends the signals of the current process's timers of CPU time that have expired.
    fn check_cpu_timers(&mut self) {
        let Some(pid) = self.tasks.threads.get(&self.tasks.current).map(|t| t.pid) else { return };
        let armed = |p: &Process| p.timers.cpu.iter().any(|t| t.at.is_some());
        if !self.tasks.processes.get(&pid).is_some_and(armed) {
            return;
        }
        let now = self.cpu_time().process_ns(pid);
        let Some(p) = self.tasks.processes.get_mut(&pid) else { return };
        for signal in p.timers.expire_cpu(now) {
            // A standard signal always fits the queue.
            let _ = self.send_to_process(pid, SigInfo::kernel(signal));
        }
    }
}
