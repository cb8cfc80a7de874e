//! The first process of a machine of user-mode Linux.

use crate::debuggee::{Debuggee, Event, System};
use capvec_linux::{Machine, ResumeRequest, Status};
use capvec_sim::Hart;
use capvec_sim::debug::Controls;

impl Debuggee for Machine {
    fn set_controls(&mut self, controls: &Controls) {
        Machine::set_controls(self, controls.clone());
    }

    fn resume(&mut self, request: ResumeRequest, poll: &mut dyn FnMut() -> bool) -> Event {
        match Machine::resume(self, request, poll) {
            capvec_linux::Event::Paused(tid, pause) => Event::Paused(tid, pause),
            capvec_linux::Event::Signal(tid, signal) => Event::Signal(tid, signal),
            capvec_linux::Event::Exec(tid) => Event::Exec(tid),
            capvec_linux::Event::Interrupted => Event::Interrupted,
            capvec_linux::Event::Ended(Status::Signal(signal)) => Event::Killed(signal),
            capvec_linux::Event::Ended(status) => Event::Exited(status.code()),
        }
    }

    fn detach(&mut self) {
        Machine::detach(self);
    }

    fn end(&mut self, signal: i32) {
        Machine::end(self, signal);
    }

    fn must_stop(&self) -> bool {
        Machine::must_stop(self)
    }

    fn threads(&self) -> Vec<i32> {
        Machine::threads(self)
    }

    fn thread_name(&self, tid: i32) -> Vec<u8> {
        Machine::thread_name(self, tid)
    }

    fn with_hart(&mut self, tid: i32, f: &mut dyn FnMut(&mut Hart)) -> bool {
        Machine::with_hart(self, tid, f)
    }

    fn system(&self) -> Option<&dyn System> {
        Some(self)
    }
}

impl System for Machine {
    fn auxv(&self) -> Vec<u8> {
        Machine::auxv(self)
    }

    fn program(&self) -> Vec<u8> {
        Machine::program(self)
    }

    fn file(&self, path: &[u8]) -> Option<Vec<u8>> {
        Machine::file(self, path)
    }

    fn link(&self, path: &[u8]) -> Option<Vec<u8>> {
        Machine::link(self, path)
    }
}
