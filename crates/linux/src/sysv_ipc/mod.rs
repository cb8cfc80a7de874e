//! System V IPC (sysvipc(7)): message queues, semaphore sets and shared memory segments.
//!
//! Limits are Linux's defaults. An object is charged to the guest's memory as long as it exists: System V objects
//! outlive the processes that created them.

mod abi;
mod msg;
mod objects;
mod release;
mod sem;
mod shm;
mod show;
#[cfg(test)]
mod tests;

pub use abi::{Info, MSG, SEM, SHM, cmd, flag};
pub use msg::{Message, Queue, Select};
pub use objects::{Object, Table, User};
pub use release::segment_of;
pub use sem::{Blocked, SemOp, Set, UndoList};
pub use shm::Segment;

/// All objects of System V IPC.
pub struct Ipc {
    /// Message queues.
    pub queues: Table<Queue>,
    /// Semaphore sets.
    pub sets: Table<Set>,
    /// Shared memory segments.
    pub segments: Table<Segment>,
    /// The number of adjustment lists that have been given a number.
    undo_lists: u64,
}

impl Default for Ipc {
    fn default() -> Ipc {
        Ipc {
            queues: Table::new(MSG.objects),
            sets: Table::new(SEM.sets),
            segments: Table::new(SHM.segments),
            undo_lists: 0,
        }
    }
}

impl Ipc {
    /// The number of an adjustment list, assigned at its first use.
    pub fn undo_number(&mut self, list: &UndoList) -> u64 {
        if list.number() == 0 {
            self.undo_lists += 1;
            list.set_number(self.undo_lists);
        }
        list.number()
    }

    /// Removes segments that are marked for destruction and no longer attached.
    pub fn sweep(&mut self) {
        self.segments.retain(|segment| !segment.is_gone());
    }
}
