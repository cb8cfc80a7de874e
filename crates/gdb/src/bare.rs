//! A hart without an operating system.

use crate::debuggee::{Debuggee, Event};
use capvec_bare::{Bare, Outcome, Progress};
use capvec_linux::ResumeRequest;
use capvec_sim::debug::Controls;
use capvec_sim::{Engine, Hart};

/// The number of the hart as a thread.
const HART: i32 = 1;
/// SIGKILL: what gdb is shown if a program did not end itself.
const KILLED: i32 = 9;

/// The machine with the engine that runs it.
pub struct BareDebuggee<'a> {
    machine: &'a mut Bare,
    engine: &'a mut dyn Engine,
    controls: Controls,
    outcome: Option<Outcome>,
}

impl<'a> BareDebuggee<'a> {
    /// Debugs the machine.
    pub fn new(machine: &'a mut Bare, engine: &'a mut dyn Engine) -> BareDebuggee<'a> {
        BareDebuggee { machine, engine, controls: Controls::default(), outcome: None }
    }

    /// How the run ended; runs to the end without a debugger if it has not.
    pub fn finish(self) -> Outcome {
        self.outcome.unwrap_or_else(|| self.machine.run(self.engine))
    }
}

impl Debuggee for BareDebuggee<'_> {
    fn set_controls(&mut self, controls: &Controls) {
        self.controls.clone_from(controls);
    }

    fn resume(&mut self, request: ResumeRequest, poll: &mut dyn FnMut() -> bool) -> Event {
        self.controls.step = request.step.is_some();
        self.engine.debug(&self.controls);
        match self.machine.advance(self.engine, poll) {
            Progress::Interrupted => Event::Interrupted,
            Progress::Paused(pause) => Event::Paused(HART, pause),
            Progress::Ended(outcome) => {
                self.outcome = Some(outcome);
                match outcome {
                    Outcome::Exit(code) => Event::Exited(u8::try_from(code).unwrap_or(u8::MAX)),
                    _ => Event::Killed(KILLED),
                }
            }
        }
    }

    fn detach(&mut self) {
        self.engine.debug(&Controls::default());
    }

    fn end(&mut self, _: i32) {
        self.outcome.get_or_insert(Outcome::Interrupted);
    }

    fn must_stop(&self) -> bool {
        self.machine.must_stop()
    }

    fn threads(&self) -> Vec<i32> {
        vec![HART]
    }

    fn thread_name(&self, _: i32) -> Vec<u8> {
        b"hart".to_vec()
    }

    fn with_hart(&mut self, tid: i32, f: &mut dyn FnMut(&mut Hart)) -> bool {
        if tid == HART {
            f(self.machine.hart_mut());
        }
        tid == HART
    }
}
