//! Follows the threads, for the regions and for what knows where functions are.

use crate::Recorder;
use capvec_sim::Hart;
use capvec_sim::calls::{Area, Follower, Read};
use std::cell::RefCell;
use std::rc::Rc;

/// Where each thread is.
pub trait Places {
    /// A new thread is where its parent is.
    fn cloned(&mut self, parent: i32, tid: i32);

    /// A thread begins a new program.
    fn program(&mut self, tid: i32);

    /// The thread has ended.
    fn ended(&mut self, tid: i32);

    /// Functions are elsewhere than before.
    fn changed(&mut self) {}

    /// The thread is about to run in this address space.
    fn resume(&mut self, tid: i32, space: u64);

    /// It has stopped.
    fn pause(&mut self, tid: i32);
}

/// Follows the threads.
pub struct Threads<P> {
    places: Rc<RefCell<P>>,
    recorder: Rc<RefCell<Recorder>>,
    tid: i32,
}

impl<P: Places> Threads<P> {
    pub fn new(places: Rc<RefCell<P>>, recorder: Rc<RefCell<Recorder>>) -> Threads<P> {
        Threads { places, recorder, tid: 0 }
    }
}

impl<P: Places> Follower for Threads<P> {
    fn program(&mut self, tid: i32, pid: i32, name: &str) {
        self.places.borrow_mut().program(tid);
        self.recorder.borrow_mut().program(tid, pid, name);
    }

    fn cloned(&mut self, parent: i32, tid: i32, pid: i32) {
        self.places.borrow_mut().cloned(parent, tid);
        self.recorder.borrow_mut().cloned(parent, tid, pid);
    }

    fn ended(&mut self, tid: i32) {
        self.places.borrow_mut().ended(tid);
        self.recorder.borrow_mut().ended(tid);
    }

    fn image(&mut self, space: u64, areas: Vec<Area>, read: Read<'_>) {
        self.places.borrow_mut().changed();
        self.recorder.borrow_mut().image(space, areas, read);
    }

    fn forget(&mut self, space: u64) {
        self.places.borrow_mut().changed();
        self.recorder.borrow_mut().forget(space);
    }

    fn resume(&mut self, tid: i32, h: &Hart) {
        self.tid = tid;
        self.places.borrow_mut().resume(tid, h.mem.id());
        self.recorder.borrow_mut().resume(tid, h);
    }

    fn pause(&mut self, h: &Hart) {
        self.places.borrow_mut().pause(self.tid);
        self.recorder.borrow_mut().pause(h);
    }
}
