//! What a profile needs of the system: which thread runs which program, and which files its code comes from.

use crate::fs::OpenFile;
use crate::kernel::Tasks;
use crate::space::{Range, Space};
use capvec_sim::Hart;
use capvec_sim::calls::{Area, Follower, Received};
use capvec_sim::mem::Perm;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The areas with code.
fn areas(space: &Space) -> Vec<Area> {
    let executable = space.areas().filter(|(_, vma)| vma.perm.allows(Perm::X));
    executable
        .map(|(start, vma)| Area {
            addresses: start..vma.end,
            offset: vma.offset,
            file: vma.id.as_ref().map(|id| (id.path.as_slice().into(), id.ino)),
        })
        .collect()
}

/// Passes the events of a run to the recorder of its profile, if there is one.
pub struct Profiler {
    recorder: Option<Rc<RefCell<dyn Follower>>>,
    /// `Memory::code_version` of each address space when its areas were last passed on.
    versions: RefCell<HashMap<u64, u64>>,
}

impl Profiler {
    /// Nothing has been passed on.
    pub fn new(recorder: Option<Rc<RefCell<dyn Follower>>>) -> Profiler {
        Profiler { recorder, versions: RefCell::default() }
    }

    /// The current thread is about to run. `read` returns the contents of a file.
    pub fn resume(&self, hart: &Hart, tasks: &Tasks, read: &dyn Fn(&[u8]) -> Option<Vec<u8>>) {
        let Some(recorder) = &self.recorder else { return };
        let (space, version) = (hart.mem.id(), hart.mem.code_version());
        let mut recorder = recorder.borrow_mut();
        if self.versions.borrow_mut().insert(space, version) != Some(version) {
            let areas = areas(&tasks.process().space.borrow());
            recorder.image(space, areas, read);
        }
        recorder.resume(tasks.current, hart);
    }

    /// The current thread has stopped.
    pub fn pause(&self, hart: &Hart) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().pause(hart);
        }
    }

    /// A system call has written bytes to the guest's memory.
    pub fn received(&self, from: Received<'_>, space: u64, addr: u64, bytes: u64) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().received(from, space, addr, bytes);
        }
    }

    /// A read has filled the first `bytes` bytes of these ranges.
    pub fn read(&self, file: &OpenFile, space: u64, ranges: &[Range], mut bytes: u64) {
        if self.recorder.is_none() {
            return;
        }
        let path = file.label();
        for &(addr, len) in ranges {
            let now = bytes.min(len);
            self.received(Received::File(&path), space, addr, now);
            bytes -= now;
        }
    }

    /// The thread is about to run a signal handler.
    pub fn signal(&self, tid: i32, hart: &Hart) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().signal(tid, hart);
        }
    }

    /// The current process runs a new program.
    pub fn program(&self, tasks: &Tasks) {
        let Some(recorder) = &self.recorder else { return };
        let name = String::from_utf8_lossy(&tasks.thread().comm).into_owned();
        recorder.borrow_mut().program(tasks.current, tasks.thread().pid, &name);
    }

    /// Thread `by` has made another.
    pub fn cloned(&self, by: i32, tid: i32, pid: i32) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().cloned(by, tid, pid);
        }
    }

    /// A thread has ended.
    pub fn ended(&self, tid: i32) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().ended(tid);
        }
    }

    /// An address space no longer exists.
    pub fn forget(&self, space: u64) {
        if let Some(recorder) = &self.recorder {
            self.versions.borrow_mut().remove(&space);
            recorder.borrow_mut().forget(space);
        }
    }
}
