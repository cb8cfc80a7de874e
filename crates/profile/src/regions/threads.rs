//! Follows the threads, for the regions and for the recorder, which knows where functions are.

use crate::Recorder;
use capvec_sim::Hart;
use capvec_sim::calls::{Area, Follower, Read};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What is known of each thread.
#[derive(Default)]
pub struct EachThread<T> {
    /// The thread that runs.
    pub running: T,
    others: HashMap<i32, T>,
}

/// What knows where each thread is.
pub trait Places {
    type Thread: Clone + Default;

    fn threads(&mut self) -> &mut EachThread<Self::Thread>;

    /// What a new thread takes over from its parent.
    fn inherited(parent: Self::Thread) -> Self::Thread {
        parent
    }

    /// The addresses of functions may have changed.
    fn changed(&mut self) {}

    /// The running thread is about to continue in this address space.
    fn resumed(&mut self, space: u64);
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
        self.places.borrow_mut().threads().others.insert(tid, P::Thread::default());
        self.recorder.borrow_mut().program(tid, pid, name);
    }

    fn cloned(&mut self, parent: i32, tid: i32, pid: i32) {
        let mut places = self.places.borrow_mut();
        let threads = places.threads();
        let inherited = P::inherited(threads.others.get(&parent).cloned().unwrap_or_default());
        threads.others.insert(tid, inherited);
        self.recorder.borrow_mut().cloned(parent, tid, pid);
    }

    fn ended(&mut self, tid: i32) {
        self.places.borrow_mut().threads().others.remove(&tid);
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
        let mut places = self.places.borrow_mut();
        let threads = places.threads();
        threads.running = threads.others.remove(&tid).unwrap_or_default();
        places.resumed(h.mem.id());
        self.recorder.borrow_mut().resume(tid, h);
    }

    fn pause(&mut self, h: &Hart) {
        let mut places = self.places.borrow_mut();
        let threads = places.threads();
        threads.others.insert(self.tid, std::mem::take(&mut threads.running));
        self.recorder.borrow_mut().pause(h);
    }
}
