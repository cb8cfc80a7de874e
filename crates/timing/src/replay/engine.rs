//! An engine that records.

use super::log::Log;
use super::recording::Recording;
use crate::first_order::FirstOrder;
use capvec_sim::engine::Histogram;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Plan, Seen, Timing};
use capvec_sim::{Cause, Engine, Hart, Interpreter, Stop};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// a7, which holds the number of a system call.
const A7: u8 = 17;

/// A model that records what it observes.
struct Recorder {
    model: FirstOrder,
    log: RefCell<Log>,
}

impl Timing for Recorder {
    fn plan(&self, start: u64, insns: &[Insn]) -> Plan {
        let number = self.log.borrow_mut().number(start, insns);
        Plan { number, ..self.model.plan(start, insns) }
    }

    fn enter(&mut self, start: u64, end: u64, plan: &Plan, sequential: bool) -> u64 {
        self.log.get_mut().enter(plan.number, sequential);
        self.model.enter(start, end, plan, sequential)
    }

    fn execute(&mut self, now: u64, what: Dynamic, insn: &Insn, seen: &Seen<'_>) -> u64 {
        self.log.get_mut().execute(seen);
        self.model.execute(now, what, insn, seen)
    }

    fn switch(&mut self) {
        self.log.get_mut().switch();
        self.model.switch();
    }

    fn change_space(&mut self) {
        self.log.get_mut().change_space();
        self.model.change_space();
    }
}

/// An interpreter with a model that records.
struct Recorded {
    interpreter: Interpreter<Recorder>,
    recording: Arc<Mutex<Recording>>,
}

/// An interpreter with this model, which puts the recording of its run into `recording` when it is dropped. At most `room` words
/// of four bytes are recorded: one for each block, and one for each access.
pub fn engine(model: FirstOrder, room: usize, recording: Arc<Mutex<Recording>>) -> Box<dyn Engine> {
    let log = RefCell::new(Log::new(room));
    let interpreter = Interpreter::new(Recorder { model, log }, false);
    Box::new(Recorded { interpreter, recording })
}

impl Recorded {
    fn log(&self) -> &RefCell<Log> {
        &self.interpreter.timing().log
    }
}

impl Engine for Recorded {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        self.log().borrow_mut().begin(h.mem.id(), h.instret);
        let stop = self.interpreter.run(h, budget);
        let call = match stop {
            Stop::Trap(trap) if trap.cause == Cause::EcallU => Some(h.x(A7)),
            _ => None,
        };
        self.log().borrow_mut().end(h.instret, call);
        stop
    }

    fn forget(&mut self, space: u64) {
        self.interpreter.forget(space);
    }

    fn switch(&mut self) {
        self.interpreter.switch();
    }

    fn change_space(&mut self) {
        self.interpreter.change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        self.interpreter.histogram()
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let recording = self.log().borrow_mut().finish();
        *self.recording.lock().unwrap_or_else(PoisonError::into_inner) = recording;
    }
}
