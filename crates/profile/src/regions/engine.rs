//! The engine that counts regions: the interpreter with a model that counts.

use super::model::Counting;
use super::state::Regions;
use super::threads::Threads;
use super::{Region, Wanted};
use crate::Recorder;
use capvec_sim::calls::Follower;
use capvec_sim::engine::Histogram;
use capvec_sim::{Engine, Hart, Interpreter, Stop};
use capvec_timing::FirstOrder;
use std::cell::RefCell;
use std::rc::Rc;

/// The engine. Its clones share what they count.
#[derive(Clone)]
pub struct RegionEngine {
    interpreter: Rc<RefCell<Interpreter<Counting>>>,
    regions: Rc<RefCell<Regions>>,
    recorder: Rc<RefCell<Recorder>>,
}

impl RegionEngine {
    /// Nothing counted. Without a model, each instruction counts as one cycle.
    pub fn new(model: Option<FirstOrder>, wanted: Wanted) -> RegionEngine {
        let regions = Rc::new(RefCell::new(Regions::new(wanted)));
        let recorder = Rc::new(RefCell::new(Recorder::new(true)));
        let counting =
            Counting { model, regions: Rc::clone(&regions), recorder: Rc::clone(&recorder) };
        let interpreter = Rc::new(RefCell::new(Interpreter::new(counting, false)));
        RegionEngine { interpreter, regions, recorder }
    }

    /// What follows the threads.
    pub fn follower(&self) -> Rc<RefCell<dyn Follower>> {
        Rc::new(RefCell::new(Threads::new(Rc::clone(&self.regions), Rc::clone(&self.recorder))))
    }

    /// What was counted.
    pub fn finish(&self) -> Vec<Region> {
        self.regions.borrow().finish()
    }
}

impl Engine for RegionEngine {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        {
            let mut regions = self.regions.borrow_mut();
            (regions.space, regions.entered) = (h.mem.id(), 0);
        }
        let before = h.instret;
        let stop = self.interpreter.borrow_mut().run(h, budget);
        let mut regions = self.regions.borrow_mut();
        let missing = regions.entered - (h.instret - before);
        if missing > 0 {
            regions.left_early(missing);
        }
        let (function, _) = self.recorder.borrow_mut().place(h.pc);
        regions.stopped_in(&function.name);
        stop
    }

    fn forget(&mut self, space: u64) {
        self.interpreter.borrow_mut().forget(space);
    }

    fn switch(&mut self) {
        self.interpreter.borrow_mut().switch();
    }

    fn change_space(&mut self) {
        self.interpreter.borrow_mut().change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        None
    }
}
