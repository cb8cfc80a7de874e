//! The engine that counts regions: the interpreter with a model that counts.

use super::model::Counting;
use super::state::Regions;
use super::{Region, Wanted};
use crate::Recorder;
use capvec_sim::calls::{Area, Follower, Read};
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
    /// Nothing counted. Without a model, a cycle is an instruction.
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
        let (regions, recorder) = (Rc::clone(&self.regions), Rc::clone(&self.recorder));
        Rc::new(RefCell::new(Threads { regions, recorder, tid: 0 }))
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

/// Follows the threads, for the regions and for what knows where functions are.
struct Threads {
    regions: Rc<RefCell<Regions>>,
    recorder: Rc<RefCell<Recorder>>,
    tid: i32,
}

impl Follower for Threads {
    fn program(&mut self, tid: i32, pid: i32, name: &str) {
        self.regions.borrow_mut().program(tid);
        self.recorder.borrow_mut().program(tid, pid, name);
    }

    fn cloned(&mut self, parent: i32, tid: i32, pid: i32) {
        self.regions.borrow_mut().cloned(parent, tid);
        self.recorder.borrow_mut().cloned(parent, tid, pid);
    }

    fn ended(&mut self, tid: i32) {
        self.regions.borrow_mut().ended(tid);
        self.recorder.borrow_mut().ended(tid);
    }

    fn image(&mut self, space: u64, areas: Vec<Area>, read: Read<'_>) {
        self.recorder.borrow_mut().image(space, areas, read);
    }

    fn forget(&mut self, space: u64) {
        self.recorder.borrow_mut().forget(space);
    }

    fn resume(&mut self, tid: i32, h: &Hart) {
        self.tid = tid;
        self.regions.borrow_mut().resume(tid);
        self.recorder.borrow_mut().resume(tid, h);
    }

    fn pause(&mut self, h: &Hart) {
        self.regions.borrow_mut().pause(self.tid);
        self.recorder.borrow_mut().pause(h);
    }
}
