//! The table of indirect-jump targets: a direct-mapped cache from guest addresses to code.

use std::ops::Range;

/// Number of entries, a power of two, minus one.
pub const MASK: u64 = 8191;

/// Marks an empty entry: instructions are at even addresses.
const EMPTY_PC: u64 = 1;

/// A guest address and its host address, in the layout that generated code reads.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    pc: u64,
    code: u64,
}

const EMPTY: Entry = Entry { pc: EMPTY_PC, code: 0 };

/// The table.
pub struct Targets {
    entries: Box<[Entry]>,
    used: bool,
}

impl Targets {
    /// An empty table.
    pub fn new() -> Targets {
        Targets { entries: vec![EMPTY; MASK as usize + 1].into_boxed_slice(), used: false }
    }

    /// Its address, which never changes.
    pub fn address(&self) -> u64 {
        self.entries.as_ptr() as u64
    }

    /// The memory that it takes.
    pub fn region(&self) -> Range<u64> {
        let all = self.entries.as_ptr_range();
        all.start as u64..all.end as u64
    }

    /// Adds the code of the block at `pc`.
    pub fn insert(&mut self, pc: u64, code: u64) {
        *self.entry(pc) = Entry { pc, code };
        self.used = true;
    }

    /// Removes the code of the block at `pc`.
    pub fn remove(&mut self, pc: u64) {
        if self.entry(pc).pc == pc {
            *self.entry(pc) = EMPTY;
        }
    }

    fn entry(&mut self, pc: u64) -> &mut Entry {
        &mut self.entries[(pc >> 1 & MASK) as usize]
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.used) {
            self.entries.fill(EMPTY);
        }
    }
}
