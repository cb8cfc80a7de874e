//! The table of targets of indirect jumps: a direct-mapped cache of addresses that have code.

/// Entries, a power of two, minus one.
pub const MASK: u64 = 8191;

/// No address: instructions stand at even ones.
const NOWHERE: u64 = 1;

/// Guest address and host address, as generated code reads them.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    pc: u64,
    code: u64,
}

/// The table.
pub struct Targets {
    entries: Box<[Entry]>,
    used: bool,
}

impl Targets {
    /// An empty table.
    pub fn new() -> Targets {
        let empty = Entry { pc: NOWHERE, code: 0 };
        Targets { entries: vec![empty; MASK as usize + 1].into_boxed_slice(), used: false }
    }

    /// Its address, which stays.
    pub fn address(&self) -> u64 {
        self.entries.as_ptr() as u64
    }

    /// The block at `pc` has code.
    pub fn insert(&mut self, pc: u64, code: u64) {
        self.entries[(pc >> 1 & MASK) as usize] = Entry { pc, code };
        self.used = true;
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.used) {
            self.entries.fill(Entry { pc: NOWHERE, code: 0 });
        }
    }
}
