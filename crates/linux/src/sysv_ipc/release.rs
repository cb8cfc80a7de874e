//! What processes release: attachments of segments, and adjustments of semaphores.

use super::{Ipc, UndoList};
use crate::space::{Backing, Space, Vma};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

impl Ipc {
    /// Records that process `pid` has detached these segments at the time `now`.
    pub fn note_detached(&mut self, ids: BTreeSet<i32>, pid: i32, now: i64) {
        for id in ids {
            if let Ok(entry) = self.segments.find(id) {
                (entry.object.pids[1], entry.object.times[1]) = (pid, now);
            }
        }
        self.sweep();
    }

    /// The segments' identifiers by the identities of their memory.
    pub fn segment_ids(&self) -> HashMap<u64, i32> {
        let all = self.segments.iter();
        all.filter_map(|e| Some((e.object.memory_id()?, e.perm.id))).collect()
    }

    /// Detaches the segments of an address space whose last process is `pid`.
    pub fn detach_segments(&mut self, space: &Space, pid: i32, now: i64) {
        if self.segments.len() > 0 {
            let segments = self.segment_ids();
            let shown = |vma: &Vma| segment_of(&segments, vma);
            let ids: BTreeSet<i32> = space.areas().filter_map(|(_, vma)| shown(vma)).collect();
            self.note_detached(ids, pid, now);
        }
    }

    /// Applies the adjustments of a list when a process releases it, unless other processes share it.
    /// Returns the sets that have changed.
    pub fn undo_adjustments(&mut self, list: &Rc<UndoList>, pid: i32, now: i64) -> Vec<i32> {
        if list.number() == 0 || Rc::strong_count(list) > 1 {
            return Vec::new();
        }
        let mut changed = Vec::new();
        for entry in self.sets.iter_mut() {
            if entry.object.apply_undo(list.number(), pid, now) {
                changed.push(entry.perm.id);
            }
        }
        changed
    }
}

/// The identifier of the segment that an area maps.
pub fn segment_of(segments: &HashMap<u64, i32>, vma: &Vma) -> Option<i32> {
    let Backing::Shared(object) = &vma.backing else { return None };
    segments.get(&object.id()).copied()
}
