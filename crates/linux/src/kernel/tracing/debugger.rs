//! A debugger's view of the system: one process is debugged, the first; all other processes run as if there were no debugger.
//!
//! While the system is stopped, the interrupted quantum is kept, so that a run that was stopped and continued schedules
//! its threads like a run without a debugger.

use crate::interface::{Event, ResumeRequest};
use crate::kernel::Tasks;
use crate::signal::{SigInfo, sig};
use capvec_sim::Engine;
use capvec_sim::debug::{Controls, Pause};

/// The debugger, if one is attached: what it has asked for, and what has to be reported to it.
#[derive(Default)]
pub struct Debugger {
    attached: bool,
    /// Where the engine pauses.
    controls: Controls,
    /// The engine does not have the controls yet.
    stale: bool,
    /// The thread that is stopped after one instruction.
    step: Option<i32>,
    /// The thread that is stepped has made a system call, which was the step.
    stepped: bool,
    /// Why the system stops.
    event: Option<Event>,
    /// The signal that was reported last, and its thread.
    reported: Option<(i32, SigInfo)>,
    /// A signal that its thread takes without another report.
    passed: Option<(i32, SigInfo)>,
}

impl Debugger {
    /// Sets where the engine pauses the debugged process from now on.
    pub fn set_controls(&mut self, controls: Controls) {
        (self.attached, self.controls, self.stale) = (true, controls, true);
    }

    /// No debugger any more.
    pub fn detach(&mut self, engine: &mut dyn Engine) {
        if std::mem::take(self).attached {
            engine.debug(&Controls::default());
        }
    }

    /// Takes the orders for the time until the next event.
    pub fn take_orders(&mut self, how: ResumeRequest) {
        self.attached = true;
        (self.step, self.stepped, self.event) = (how.step, false, None);
        let reported = self.reported.take();
        self.passed = how.signal.map(|(tid, signal)| {
            let same = reported.filter(|(t, info)| (*t, info.signal) == (tid, signal));
            same.unwrap_or((tid, SigInfo::kernel(signal)))
        });
    }

    /// What has happened that the debugger wants to know.
    pub fn take_event(&mut self) -> Option<Event> {
        self.event.take()
    }

    /// Whether the debugger learns of the current thread's events.
    fn watches(&self, tasks: &Tasks) -> bool {
        let thread = tasks.threads.get(&tasks.current);
        self.attached && thread.is_some_and(|t| t.pid == tasks.first)
    }

    /// The engine is about to run the current thread.
    pub fn resume(&mut self, current: i32, engine: &mut dyn Engine) {
        let step = self.step == Some(current);
        if self.attached && (self.stale || self.controls.step != step) {
            (self.controls.step, self.stale) = (step, false);
            engine.debug(&self.controls);
        }
    }

    /// The engine has paused the current thread; returns whether the system stops.
    pub fn paused(&mut self, tasks: &Tasks, pause: Pause) -> bool {
        let watched = self.watches(tasks);
        if watched {
            self.event = Some(Event::Paused(tasks.current, pause));
        }
        watched
    }

    /// The current thread has made a system call.
    pub fn called(&mut self, current: i32) {
        self.stepped |= self.step == Some(current);
    }

    /// The current thread is about to return to its program. Returns whether the system stops, because a system call was
    /// the step that was asked for.
    pub fn returns(&mut self, current: i32) -> bool {
        let stops = self.stepped && self.step == Some(current);
        if stops {
            self.stepped = false;
            self.event = Some(Event::Paused(current, Pause::Step));
        }
        stops
    }

    /// Whether the system stops.
    pub fn stops(&self) -> bool {
        self.event.is_some()
    }

    /// A signal that the current thread takes because the debugger says so.
    pub fn passed_signal(&mut self, current: i32) -> Option<SigInfo> {
        self.passed.take_if(|(tid, _)| *tid == current).map(|(_, info)| info)
    }

    /// The current thread is about to take a signal. Returns whether the system stops before that.
    pub fn signal(&mut self, tasks: &Tasks, info: SigInfo) -> bool {
        let stops = self.watches(tasks) && info.signal != sig::KILL;
        if stops {
            self.reported = Some((tasks.current, info));
            self.event = Some(Event::Signal(tasks.current, info.signal));
        }
        stops
    }

    /// The current thread has started another program.
    pub fn exec(&mut self, tasks: &Tasks) {
        if self.watches(tasks) {
            self.event = Some(Event::Exec(tasks.current));
        }
    }
}
