//! Changes that do not come from instructions of the guest, for whoever follows what memory contains.

use super::Memory;
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// The changes of an address space.
#[derive(Default)]
pub struct Changes {
    recording: Cell<bool>,
    ranges: RefCell<Vec<Range<u64>>>,
}

impl Changes {
    /// The range has changed.
    pub fn note(&self, addr: u64, len: u64) {
        if self.recording.get() {
            self.ranges.borrow_mut().push(addr..addr + len);
        }
    }
}

impl Memory {
    /// Starts or stops recording what is written, mapped, unmapped and discarded. Off at first. Stores of single integers are
    /// not recorded: engines make them for instructions.
    pub fn record_changes(&self, on: bool) {
        self.region.changes.recording.set(on);
    }

    /// Records a change that was made by a store of an integer, but not for an instruction.
    pub fn note_change(&self, addr: u64, len: u64) {
        self.region.changes.note(addr, len);
    }

    /// Takes what has been recorded.
    pub fn take_changes(&self) -> Vec<Range<u64>> {
        self.region.changes.ranges.take()
    }
}

#[cfg(test)]
mod tests {
    use crate::mem::{Memory, PAGE, Perm};

    #[test]
    fn changes_are_recorded_while_that_is_on() {
        let mem = Memory::new().expect("an address space");
        mem.map(PAGE, PAGE, Perm::RW).expect("a page");
        assert!(mem.take_changes().is_empty());
        mem.record_changes(true);
        mem.map(4 * PAGE, PAGE, Perm::RW).expect("a page");
        mem.write(PAGE + 8, &[1, 2]).expect("a writable page");
        mem.discard(PAGE, PAGE).expect("a page");
        mem.unmap(4 * PAGE, PAGE).expect("a page");
        let (page, other) = (PAGE..2 * PAGE, 4 * PAGE..5 * PAGE);
        let expected = [other.clone(), PAGE + 8..PAGE + 10, page, other];
        assert_eq!(mem.take_changes(), expected);
        mem.record_changes(false);
        mem.write(PAGE, &[1]).expect("a writable page");
        assert!(mem.take_changes().is_empty());
    }
}
