//! An engine that compares two processes of a driver, block by block, between two reads of the counter of instructions: where
//! their paths or their cycles part.

use super::sections::reads_counter;
use capvec_profile::Recorder;
use capvec_sim::engine::Histogram;
use capvec_sim::{Engine, Hart, Stop};
use std::cell::RefCell;
use std::rc::Rc;

/// The longest section that is kept, in blocks: half a gibibyte.
const MOST: usize = 1 << 25;

/// Where two runs part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The function of the block: the last one that both executed, or the first that took other cycles.
    pub function: String,
    /// The address of that block in its file.
    pub address: u64,
    /// The file.
    pub object: String,
    /// Whether the paths part after the block; otherwise its cycles differ.
    pub path: bool,
}

impl std::fmt::Display for Parting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let how = if self.path { "paths part after" } else { "cycles differ in" };
        let file = self.object.rsplit('/').next().unwrap_or_default();
        write!(f, "{how} {} ({file} {:#x})", self.function, self.address)
    }
}

/// A block: its address, and its cycles.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step {
    pc: u64,
    cycles: u64,
}

/// What is known, shared with whoever reads the result.
#[derive(Default)]
struct State {
    /// The first process that reads the counter, and its last section.
    first: Option<u64>,
    reference: Vec<Step>,
    parting: Option<Parting>,
}

/// The engine.
pub struct Comparing {
    inner: Box<dyn Engine>,
    recorder: Rc<RefCell<Recorder>>,
    /// The process of the current section, and its blocks, if it is the first process's.
    space: Option<u64>,
    steps: Vec<Step>,
    /// Number of blocks of the section, and where it parts from the reference.
    count: usize,
    here: Option<Parting>,
    state: Rc<RefCell<State>>,
}

/// The result, after the run.
pub struct Compared(Rc<RefCell<State>>);

impl Compared {
    /// Where the processes part, if they do.
    pub fn parting(&self) -> Option<Parting> {
        self.0.borrow().parting.clone()
    }
}

impl Comparing {
    /// On top of an engine, which runs block by block. The recorder, which follows the threads, knows the functions.
    pub fn new(inner: Box<dyn Engine>, recorder: Rc<RefCell<Recorder>>) -> (Comparing, Compared) {
        let state = Rc::new(RefCell::new(State::default()));
        let compared = Compared(Rc::clone(&state));
        let (steps, here) = (Vec::new(), None);
        (Comparing { inner, recorder, space: None, steps, count: 0, here, state }, compared)
    }

    /// The counter has been read: a section ends, and another begins.
    fn read(&mut self, space: u64) {
        let mut state = self.state.borrow_mut();
        let first = *state.first.get_or_insert(space) == space;
        if self.space == Some(space) {
            match first {
                true => state.reference = std::mem::take(&mut self.steps),
                false => state.parting = self.here.take(),
            }
        }
        self.steps.clear();
        (self.space, self.count, self.here) = (Some(space), 0, None);
    }

    /// A block was executed; `pc` is its address.
    fn step(&mut self, space: u64, step: Step) {
        let state = self.state.borrow();
        if self.space != Some(space) || self.count == MOST {
            return;
        }
        if state.first == Some(space) {
            self.steps.push(step);
        } else if self.here.is_none() {
            let at = |k: usize| state.reference.get(k).copied();
            let before = self.count.checked_sub(1).and_then(at);
            let parted = match at(self.count) {
                Some(other) if other == step => None,
                Some(other) if other.pc == step.pc => Some((step.pc, false)),
                _ => Some((before.map_or(step.pc, |b| b.pc), true)),
            };
            self.here = parted.map(|(pc, path)| {
                let (function, address) = self.recorder.borrow_mut().place(pc);
                let object = function.object.to_string();
                Parting { function: function.name, address, object, path }
            });
        }
        self.count += 1;
    }
}

impl Engine for Comparing {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let until = h.instret.saturating_add(budget);
        loop {
            let (reads, space, pc, cycles) = (reads_counter(h), h.mem.id(), h.pc, h.cycles);
            let stop = self.inner.run(h, 1);
            match reads && matches!(stop, Stop::Budget) {
                true => self.read(space),
                false => self.step(space, Step { pc, cycles: h.cycles.wrapping_sub(cycles) }),
            }
            if !matches!(stop, Stop::Budget) || h.instret >= until {
                return stop;
            }
        }
    }

    fn forget(&mut self, space: u64) {
        self.inner.forget(space);
    }

    fn switch(&mut self) {
        self.inner.switch();
    }

    fn change_space(&mut self) {
        self.inner.change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        self.inner.histogram()
    }
}
