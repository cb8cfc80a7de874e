//! The scheduler: round robin by a quantum of retired instructions, so that every run of a program is the same.

use super::{Quantum, Slice};
use crate::interface::{Event, ResumeRequest, Status};
use crate::kernel::Kernel;
use crate::kernel::tracing;
use crate::process::Life;
use crate::process::thread::{State, Wait, Wake};
use crate::signal::{SigInfo, sig};
use capvec_sim::Stop;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Vector register bits that instructions may process between checks of the host: 64 instructions at the greatest VLEN.
const MAX_VECTOR_BITS: u64 = 1 << 22;

impl Kernel {
    /// Runs until the first process has ended or a limit is reached.
    pub fn run(&mut self) -> Status {
        loop {
            if let Some(status) = self.run.outcome {
                self.account_time();
                return status;
            }
            self.advance();
        }
    }

    /// Runs until something happens that a debugger wants to know. `poll` is called now and then, and returns true to
    /// stop the system.
    pub fn run_debugged(&mut self, how: ResumeRequest, poll: &mut dyn FnMut() -> bool) -> Event {
        self.debugger.take_orders(how);
        if let Some(first) = how.first {
            self.sched.run_first(first, self.tasks.current);
        }
        loop {
            if let Some(status) = self.run.outcome {
                self.account_time();
                return Event::Ended(status);
            }
            self.advance();
            if let Some(event) = self.debugger.take_event() {
                return event;
            }
            if self.run.outcome.is_none() && poll() {
                return Event::Interrupted;
            }
        }
    }

    /// Runs the next thread for a quantum, or waits for one that can run.
    pub fn advance(&mut self) {
        if let Some(quantum) = self.sched.interrupted.take() {
            return self.run_quantum(quantum);
        }
        match self.sched.ready.pop_front() {
            Some(tid) if self.tasks.can_run(tid) => {
                self.switch_to(tid);
                let end = self.hart.instret.saturating_add(self.sched.quantum);
                self.run_quantum(Quantum { end, slice: None });
            }
            Some(_) => {}
            None => self.idle(),
        }
    }

    /// Puts another thread's registers into the hart.
    fn switch_to(&mut self, tid: i32) {
        if tid == self.tasks.current {
            return;
        }
        self.account_time();
        if let Some(old) = self.tasks.threads.get_mut(&self.tasks.current) {
            old.context.swap(&mut self.hart);
        }
        self.tasks.current = tid;
        if let Some(new) = self.tasks.threads.get_mut(&tid) {
            new.context.swap(&mut self.hart);
        }
        self.enter_space();
        self.hart.reservation = None;
        self.engine.switch();
    }

    /// Gives the hart the current process's memory and extensions.
    pub fn enter_space(&mut self) {
        let (mem, config) = {
            let p = self.process();
            (p.space.borrow().mem.clone(), p.config.clone())
        };
        if mem.id() != self.hart.mem.id() {
            self.engine.change_space();
        } else if !Arc::ptr_eq(&config, &self.hart.config) {
            // Code that was decoded with other extensions is not valid for this process.
            mem.decoding_changed();
        }
        self.hart.mem = mem;
        self.hart.config = config;
    }

    /// Runs the current thread for a quantum, or until it blocks, ends or is stopped by the debugger.
    fn run_quantum(&mut self, quantum: Quantum) {
        let Quantum { end, mut slice } = quantum;
        let mut over = false;
        while slice.is_some() || self.return_to_user() {
            let slice = match slice.take() {
                Some(interrupted) => interrupted,
                None if self.debugger.returns(self.tasks.current) => break,
                None => self.slice(end),
            };
            let stop = self.run_engine(slice);
            if let Stop::Paused(_) = stop {
                self.sched.interrupted = Some(Quantum { end, slice: Some(slice) });
                return;
            }
            self.tick();
            if let Stop::Trap(trap) = stop {
                self.trap(trap);
                self.sched.wake_file_waiters(&mut self.tasks, &mut self.files);
                // A system call may have taken long.
                self.check_host();
            }
            over = std::mem::take(&mut self.sched.yielded) || self.hart.instret >= end;
            if over {
                if self.tasks.can_run(self.tasks.current) {
                    self.sched.ready.push_back(self.tasks.current);
                }
                break;
            }
        }
        if !over && self.debugger.stops() {
            self.sched.interrupted = Some(Quantum { end, slice: None });
            return;
        }
        // Threads that wait for the host check again from time to time while others run.
        if self.hart.instret - self.host.seen >= self.sched.quantum && self.tasks.waits_for_host() {
            self.host.seen = self.hart.instret;
            self.sched.wake_where(&mut self.tasks, Wake::Event, |_, on| on == Wait::Host);
        }
        self.check_host();
    }

    /// Delivers an interrupt of the host's user, and ends the run if it must stop.
    pub fn check_host(&mut self) {
        if self.host.interrupt.as_ref().is_some_and(|i| i.swap(false, Ordering::Relaxed)) {
            let group = self.tasks.foreground;
            let members = self.tasks.processes.values().filter(|p| p.pgid == group && p.is_alive());
            for pid in members.map(|p| p.pid).collect::<Vec<_>>() {
                // A standard signal always fits the queue.
                let _ = self.send_to_process(pid, SigInfo::kernel(sig::INT));
            }
        }
        if let Some(signal) = self.memory.account.stop_request().asked()
            && self.run.outcome.is_none()
        {
            self.run.outcome = Some(Status::Terminated(signal));
        }
        if self.memory.account.stop_request().deadline_passed() {
            self.run.stop(Status::TimeLimit, "the time limit (--timeout) is reached");
        }
    }

    /// Instructions until the next check: to the quantum's end, or half of the way to the next timer at the current
    /// pace, so that its time is approached and not overshot.
    fn budget(&self, end: u64) -> u64 {
        const MIN_BUDGET: u64 = 8;
        let mut n = end.saturating_sub(self.hart.instret);
        n = n.min(self.run.max_insns.saturating_sub(self.hart.instret));
        let mut approach =
            |cycles: u64| n = n.min((cycles / (2 * self.sched.pace)).max(MIN_BUDGET));
        if !self.devices.clock.is_host()
            && let Some(at) = self.sched.timers.next()
        {
            approach(self.devices.clock.cycles_at(at).saturating_sub(self.hart.cycles));
        }
        if let Some(cycles) = self.cpu_time().timer_distance() {
            approach(cycles);
        }
        n.max(1)
    }

    /// The next run of the engine in a quantum that ends at `end`.
    fn slice(&self, end: u64) -> Slice {
        let (instret, cycles) = (self.hart.instret, self.hart.cycles);
        Slice { until: instret.saturating_add(self.budget(end)), start: (instret, cycles) }
    }

    /// Runs the current thread to the slice's end, and records the pace in cycles per instruction.
    ///
    /// An instruction may take long on the host, in proportion to VLEN, so the budget is spent in parts with checks of
    /// the host between them. The engine stops at the same block whatever the parts are.
    fn run_engine(&mut self, slice: Slice) -> Stop {
        let Slice { until, start: (instret, cycles) } = slice;
        let part = (MAX_VECTOR_BITS / u64::from(self.hart.config.vlen.max(1))).max(1);
        let read = |path: &[u8]| self.with_caller(|vfs, c| tracing::contents(vfs, c, path));
        self.profiler.resume(&self.hart, &self.tasks, &read);
        self.debugger.resume(self.tasks.current, &mut *self.engine);
        let stop = loop {
            let left = until.saturating_sub(self.hart.instret);
            let stop = self.engine.run(&mut self.hart, left.min(part));
            match stop {
                Stop::Budget => {}
                Stop::Paused(pause) if self.debugger.paused(&self.tasks, pause) => return stop,
                Stop::Paused(_) => continue,
                Stop::Trap(_) => break stop,
            }
            if self.memory.account.stop_request().must_stop() {
                self.check_host();
                break stop;
            }
            if self.hart.instret >= until {
                break stop;
            }
        };
        self.profiler.pause(&self.hart);
        let retired = (self.hart.instret - instret).max(1);
        self.sched.pace = (self.hart.cycles - cycles).div_ceil(retired).max(1);
        stop
    }

    /// Prepares the current thread to continue: completes its system call, delivers signals. False if it cannot
    /// continue.
    fn return_to_user(&mut self) -> bool {
        loop {
            if self.run.outcome.is_some() || !self.tasks.threads.contains_key(&self.tasks.current) {
                return false;
            }
            if self.process().life != Life::Running {
                return false;
            }
            if self.debugger.stops() {
                return false;
            }
            if let Some(info) = self.debugger.passed_signal(self.tasks.current) {
                self.handle_signal(info);
                continue;
            }
            let t = self.thread();
            let ready = matches!(t.state, State::Ready);
            if ready && t.call.is_some_and(|c| c.wake != Wake::Signal) {
                self.dispatch();
                self.sched.wake_file_waiters(&mut self.tasks, &mut self.files);
                continue;
            }
            if let Some(info) = self.tasks.next_signal() {
                if self.debugger.signal(&self.tasks, info) {
                    return false;
                }
                self.handle_signal(info);
                continue;
            }
            // Another thread may have taken the signal that woke it: the wait continues.
            match &mut self.thread_mut().call {
                Some(call) if ready => call.wake = Wake::Event,
                Some(_) => return false,
                None => return true,
            }
        }
    }
}
