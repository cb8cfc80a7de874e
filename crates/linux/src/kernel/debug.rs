//! A debugger's view of the system: one process is debugged, the first; all other processes run as if there were no debugger.
//!
//! While the system is stopped, the interrupted quantum is kept, so that a run that was stopped and continued schedules
//! its threads as one without a debugger.

use crate::kernel::requests::{Event, Resume};
use crate::kernel::{Kernel, Quantum};
use crate::process::Life;
use crate::signal::{SigInfo, sig};
use capvec_sim::debug::{Controls, Pause};

impl Kernel {
    /// Where the engine pauses the debugged process from now on.
    pub fn set_controls(&mut self, controls: Controls) {
        let debug = self.run.debug.get_or_insert_default();
        (debug.controls, debug.stale) = (controls, true);
    }

    /// No debugger any more.
    pub fn stop_debugging(&mut self) {
        if self.run.debug.take().is_some() {
            self.engine.debug(&Controls::default());
        }
    }

    /// Runs until something happens that a debugger wants to know. `poll` is called now and then, and returns true to
    /// stop the system.
    pub fn run_debugged(&mut self, how: Resume, poll: &mut dyn FnMut() -> bool) -> Event {
        self.take_orders(how);
        loop {
            if let Some(status) = self.run.outcome {
                self.account_time();
                return Event::Ended(status);
            }
            self.advance();
            if let Some(event) = self.run.debug.as_mut().and_then(|d| d.event.take()) {
                return event;
            }
            if self.run.outcome.is_none() && poll() {
                return Event::Interrupted;
            }
        }
    }

    fn take_orders(&mut self, how: Resume) {
        let debug = self.run.debug.get_or_insert_default();
        (debug.step, debug.stepped, debug.event) = (how.step, false, None);
        let reported = debug.reported.take();
        debug.passed = how.signal.map(|(tid, signal)| {
            let same = reported.filter(|(t, info)| (*t, info.signal) == (tid, signal));
            same.unwrap_or((tid, SigInfo::kernel(signal)))
        });
        let current = self.tasks.current;
        let sched = &mut self.sched;
        if let Some(first) = how.first.filter(|first| *first != current)
            && sched.ready.contains(&first)
        {
            if sched.interrupted.take().is_some() {
                sched.ready.push_front(current);
            }
            sched.ready.retain(|tid| *tid != first);
            sched.ready.push_front(first);
        }
    }

    /// Whether the current thread is of the debugged process.
    fn is_debugged(&self) -> bool {
        let thread = self.tasks.threads.get(&self.tasks.current);
        thread.is_some_and(|t| t.pid == self.tasks.first)
    }

    /// The engine is about to run the current thread.
    pub fn debug_resume(&mut self) {
        let current = self.tasks.current;
        let Some(debug) = &mut self.run.debug else { return };
        let step = debug.step == Some(current);
        if debug.stale || debug.controls.step != step {
            (debug.controls.step, debug.stale) = (step, false);
            self.engine.debug(&debug.controls);
        }
    }

    /// The engine has paused the current thread; returns whether the system stops.
    pub fn debug_paused(&mut self, pause: Pause) -> bool {
        let (debugged, tid) = (self.is_debugged(), self.tasks.current);
        match &mut self.run.debug {
            Some(debug) if debugged => {
                debug.event = Some(Event::Paused(tid, pause));
                true
            }
            _ => false,
        }
    }

    /// The current thread has made a system call.
    pub fn debug_called(&mut self) {
        let current = self.tasks.current;
        if let Some(debug) = &mut self.run.debug {
            debug.stepped |= debug.step == Some(current);
        }
    }

    /// The current thread is about to return to its program. Returns whether the system stops, because a system call was
    /// the step that was asked for.
    pub fn debug_returns(&mut self) -> bool {
        let current = self.tasks.current;
        match &mut self.run.debug {
            Some(debug) if debug.stepped && debug.step == Some(current) => {
                debug.stepped = false;
                debug.event = Some(Event::Paused(current, Pause::Step));
                true
            }
            _ => false,
        }
    }

    /// Whether the system stops.
    pub fn debug_stops(&self) -> bool {
        self.run.debug.as_ref().is_some_and(|debug| debug.event.is_some())
    }

    /// A signal that the current thread takes because the debugger says so.
    pub fn debug_passed(&mut self) -> Option<SigInfo> {
        let current = self.tasks.current;
        let debug = self.run.debug.as_mut()?;
        debug.passed.take_if(|(tid, _)| *tid == current).map(|(_, info)| info)
    }

    /// The current thread is about to take a signal. Returns whether the system stops before that.
    pub fn debug_signal(&mut self, info: SigInfo) -> bool {
        let (debugged, tid) = (self.is_debugged(), self.tasks.current);
        match &mut self.run.debug {
            Some(debug) if debugged && info.signal != sig::KILL => {
                debug.reported = Some((tid, info));
                debug.event = Some(Event::Signal(tid, info.signal));
                true
            }
            _ => false,
        }
    }

    /// The current thread has started another program.
    pub fn debug_exec(&mut self) {
        let (debugged, tid) = (self.is_debugged(), self.tasks.current);
        if let Some(debug) = &mut self.run.debug
            && debugged
        {
            debug.event = Some(Event::Exec(tid));
        }
    }

    /// The threads of the debugged process, the current one first.
    pub fn debugged_threads(&self) -> Vec<i32> {
        let process = self.tasks.processes.get(&self.tasks.first);
        let alive = process.filter(|p| !matches!(p.life, Life::Zombie(_)));
        let mut tids: Vec<i32> =
            alive.map_or_else(Vec::new, |p| p.threads.iter().copied().collect());
        tids.sort_by_key(|tid| *tid != self.tasks.current);
        tids
    }

    /// Keeps an interrupted quantum until the system continues.
    pub fn keep_quantum(&mut self, quantum: Quantum) {
        self.sched.interrupted = Some(quantum);
    }
}
