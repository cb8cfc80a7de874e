//! What a profile needs from the system: which thread runs which program, and which files its code comes from.

use crate::fs::{KERNEL, OpenFile, StoredByte, Vfs};
use crate::kernel::Tasks;
use crate::space::{Range, SharedObject, Space};
use capvec_sim::Hart;
use capvec_sim::calls::{self, Area, Follower, Frame, Received, Used};
use capvec_sim::mem::Perm;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

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

impl From<StoredByte> for calls::StoredByte {
    fn from(held: StoredByte) -> Self {
        calls::StoredByte { object: held.object, position: held.position }
    }
}

/// Passes the events of a run to the recorder of its profile, if there is one.
pub struct Profiler {
    recorder: Option<Rc<RefCell<dyn Follower>>>,
    /// Whether the recorder follows bytes.
    follows: bool,
    /// Shared memory that it knows, by number. A number is not given to other memory as long as it is here.
    shared: RefCell<Vec<(u64, Weak<SharedObject>)>>,
    /// `Memory::code_version` of each address space when its areas were last passed on.
    versions: RefCell<HashMap<u64, u64>>,
}

impl Profiler {
    /// Nothing has been passed on.
    pub fn new(recorder: Option<Rc<RefCell<dyn Follower>>>) -> Profiler {
        let follows = recorder.as_ref().is_some_and(|r| r.borrow().follows_bytes());
        Profiler { recorder, follows, shared: RefCell::default(), versions: RefCell::default() }
    }

    /// The current thread is about to run. `read` returns the contents of a file.
    pub fn resume(&self, hart: &Hart, tasks: &Tasks, read: &dyn Fn(&[u8]) -> Option<Vec<u8>>) {
        let Some(recorder) = &self.recorder else { return };
        let (space, version) = (hart.mem.id(), hart.mem.code_version());
        let mut recorder = recorder.borrow_mut();
        self.shared.borrow_mut().retain(|(number, memory)| {
            let exists = memory.strong_count() > 0;
            if !exists {
                recorder.unshared(*number);
            }
            exists
        });
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

    /// Makes the file system note where the bytes of transfers are, if the recorder follows bytes.
    pub fn start(&self, vfs: &Vfs) {
        if self.follows {
            vfs.note_transfers();
        }
    }

    /// Whether the recorder follows what system calls act on.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// What a call acts on.
    pub fn acted(&self, hart: &Hart, on: &Used) {
        if let Some(recorder) = self.recorder.as_ref().filter(|_| !on.is_empty()) {
            recorder.borrow_mut().acted(hart, on);
        }
    }

    /// A call has read `bytes` bytes into these ranges, from their `skip`th byte on.
    pub fn read(&self, file: &OpenFile, vfs: &Vfs, space: u64, into: (&[Range], u64), bytes: u64) {
        if self.recorder.is_none() {
            return;
        }
        let path = file.label();
        for (addr, _, len) in parts(into, bytes) {
            self.received(Received::File(&path), space, addr, len);
        }
        if let Some(held) = vfs.take_transfers().pop() {
            self.scattered(held, space, into, bytes);
        }
    }

    /// Held bytes have been copied to these ranges, from their `skip`th byte on.
    pub fn scattered(&self, from: StoredByte, space: u64, into: (&[Range], u64), bytes: u64) {
        for (addr, at, len) in parts(into, bytes) {
            let held = StoredByte { position: from.position + at, ..from };
            self.received(Received::Stored(held.into()), space, addr, len);
        }
    }

    /// A call has written `bytes` bytes of these ranges, from their `skip`th byte on.
    pub fn wrote(&self, vfs: &Vfs, space: u64, from: (&[Range], u64), bytes: u64) {
        if self.recorder.is_none() {
            return;
        }
        let Some(held) = vfs.take_transfers().pop() else { return };
        for (addr, at, len) in parts(from, bytes) {
            self.sent(StoredByte { position: held.position + at, ..held }, space, addr, len);
        }
    }

    /// Bytes of memory have gone to the place `to`.
    pub fn sent(&self, to: StoredByte, space: u64, addr: u64, bytes: u64) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().sent(to.into(), space, addr, bytes);
        }
    }

    /// A call has copied `bytes` bytes from one file to another.
    pub fn copied(&self, file: &OpenFile, vfs: &Vfs, bytes: u64) {
        let Some(recorder) = &self.recorder else { return };
        if let [from, to] = vfs.take_transfers()[..] {
            recorder.borrow_mut().copied(&file.label(), from.into(), to.into(), bytes);
        }
    }

    /// Bytes of memory have gone to something without a place of its own; returns the number under which `returned` finds them.
    pub fn kept(&self, vfs: &Vfs, space: u64, addr: u64, bytes: u64) -> u64 {
        let number = vfs.shared.transfers.fresh();
        self.sent(StoredByte { object: (KERNEL, number), position: 0 }, space, addr, bytes);
        number
    }

    /// Bytes that were kept have been copied to memory. If they were not kept, `number` is 0, and nothing is passed on.
    pub fn returned(&self, number: u64, space: u64, addr: u64, bytes: u64) {
        if number != 0 {
            let held = calls::StoredByte { object: (KERNEL, number), position: 0 };
            self.received(Received::Stored(held), space, addr, bytes);
        }
    }

    /// The file that was truncated last has been cut where the last transfer says.
    pub fn cut(&self, vfs: &Vfs) {
        let Some(recorder) = &self.recorder else { return };
        if let Some(from) = vfs.take_transfers().pop() {
            recorder.borrow_mut().cut(from.into());
        }
    }

    /// A file has been emptied.
    pub fn emptied(&self, file: &OpenFile, vfs: &Vfs) {
        if self.follows {
            note_place(file);
            self.cut(vfs);
        }
    }

    /// Memory is shared, that of a file or of none.
    pub fn shares(&self, memory: &Rc<SharedObject>, file: Option<&OpenFile>, vfs: &Vfs) {
        let Some(recorder) = self.recorder.as_ref().filter(|_| self.follows) else { return };
        let mut shared = self.shared.borrow_mut();
        if shared.iter().all(|(number, _)| *number != memory.id()) {
            shared.push((memory.id(), Rc::downgrade(memory)));
        }
        vfs.take_transfers();
        file.into_iter().for_each(note_place);
        if let Some(held) = vfs.take_transfers().pop() {
            recorder.borrow_mut().shares(held.object, memory.id());
        }
    }

    /// Bytes of the file from `offset` on have been copied to memory, for a private mapping.
    pub fn mapped(&self, file: &OpenFile, vfs: &Vfs, space: u64, to: (u64, u64), bytes: u64) {
        if self.recorder.is_none() {
            return;
        }
        let (addr, position) = to;
        self.received(Received::File(&file.label()), space, addr, bytes);
        if let Some(held) = vfs.take_transfers().pop() {
            let held = calls::StoredByte { position, ..held.into() };
            self.received(Received::Stored(held), space, addr, bytes);
        }
    }

    /// The thread is about to run a signal handler.
    pub fn signal(&self, tid: i32, hart: &Hart, frame: &Frame) {
        if let Some(recorder) = &self.recorder {
            recorder.borrow_mut().signal(tid, hart, frame);
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

/// Makes the file system note where the first byte of a file is.
fn note_place(file: &OpenFile) {
    // Without room for any byte, nothing is read.
    let _ = file.object().positioned().pread(&mut [], 0);
}

/// The parts of the ranges that a transfer of `bytes` bytes from their `skip`th byte on covers: address, bytes of the
/// transfer before it, length.
fn parts((ranges, skip): (&[Range], u64), bytes: u64) -> impl Iterator<Item = (u64, u64, u64)> {
    let mut before = 0;
    ranges.iter().filter_map(move |&(addr, len)| {
        let (start, end) = (before, before + len);
        before = end;
        let (from, to) = (start.max(skip), end.min(skip + bytes));
        (from < to).then(|| (addr + (from - start), from - skip, to - from))
    })
}
