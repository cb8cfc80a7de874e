//! Shared memory segments (`ipc/shm.c` of Linux).

use super::objects::{Object, Perm};
use crate::space::SharedObject;
use std::rc::{Rc, Weak};

/// The memory of a segment.
enum Hold {
    /// Kept alive until the segment is removed.
    Kept(Rc<SharedObject>),
    /// Kept alive by attachments only: the segment is marked for destruction.
    Marked(Weak<SharedObject>),
}

/// A segment.
pub struct Segment {
    memory: Hold,
    /// The requested size in bytes.
    pub size: u64,
    /// The process that created it, and the one that last attached or detached it.
    pub pids: [i32; 2],
    /// When it was last attached and detached, in seconds; 0 for never.
    pub times: [i64; 2],
    /// When it was created or last changed.
    pub changed: i64,
}

impl Segment {
    /// A segment created by process `pid`.
    pub fn new(memory: Rc<SharedObject>, size: u64, pid: i32, now: i64) -> Segment {
        let memory = Hold::Kept(memory);
        Segment { memory, size, pids: [pid, 0], times: [0; 2], changed: now }
    }

    /// Its memory, if it still exists.
    pub fn memory(&self) -> Option<Rc<SharedObject>> {
        match &self.memory {
            Hold::Kept(memory) => Some(Rc::clone(memory)),
            Hold::Marked(memory) => memory.upgrade(),
        }
    }

    /// The number of its memory, as [`SharedObject::id`].
    pub fn memory_id(&self) -> Option<u64> {
        self.memory().map(|memory| memory.id())
    }

    /// The number of areas that map it.
    pub fn attached(&self) -> u64 {
        match &self.memory {
            Hold::Kept(memory) => Rc::strong_count(memory) as u64 - 1,
            Hold::Marked(memory) => memory.strong_count() as u64,
        }
    }

    /// Marks it for destruction: its memory is freed with its last attachment.
    pub fn mark(&mut self) {
        if let Hold::Kept(memory) = &self.memory {
            self.memory = Hold::Marked(Rc::downgrade(memory));
        }
    }

    /// Whether it is marked for destruction and no longer attached.
    pub fn is_gone(&self) -> bool {
        matches!(&self.memory, Hold::Marked(memory) if memory.strong_count() == 0)
    }
}

impl Object for Segment {
    fn stat(&self, perm: &Perm) -> Vec<u8> {
        let mut bytes = perm.encode();
        let words = [self.size as i64, self.times[0], self.times[1], self.changed];
        words.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
        self.pids.iter().for_each(|pid| bytes.extend(pid.to_le_bytes()));
        bytes.extend(self.attached().to_le_bytes());
        bytes.resize(112, 0);
        bytes
    }

    fn set_changed(&mut self, now: i64) {
        self.changed = now;
    }
}
