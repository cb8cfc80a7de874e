//! The table of indirect-jump targets: a direct-mapped cache from guest addresses to code.

use std::ops::Range;

/// Number of entries, a power of two, minus one: a compiler jumps to tens of thousands of addresses.
pub const MASK: u64 = 32767;

/// Addresses that differ only in these lowest bits share an entry. Return addresses are seldom closer, and the fewer entries lie
/// between those of a function, the more of them are in a line of the host's cache.
pub const SHIFT: u32 = 2;

/// Scale of an index, shifted by `SHIFT`, in the address of an entry.
pub const SCALE: u32 = size_of::<Entry>() as u32 >> SHIFT;

/// A guest address and its host address, in the layout that generated code reads.
type Entry = [u64; 2];

/// The empty entry with this number: address 0, which is in entry 0 only, and there an odd one, where no instruction is. So almost
/// all of an empty table is zero, which the host makes when it is first touched.
const fn empty(number: u16) -> Entry {
    [(number == 0) as u64, 0]
}

/// The table.
pub struct Targets {
    entries: Box<[Entry]>,
    /// Numbers of the entries that may be in use. Where processes take turns, the table is cleared at each turn, when it has
    /// few entries.
    filled: Vec<u16>,
}

impl Targets {
    /// An empty table.
    pub fn new() -> Targets {
        let mut entries = vec![[0; 2]; MASK as usize + 1].into_boxed_slice();
        entries[0] = empty(0);
        Targets { entries, filled: Vec::new() }
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
        let number = number(pc);
        let entry = &mut self.entries[number as usize];
        // Entries that are emptied and filled again are listed again, until the list is as long as the table.
        if *entry == empty(number) && self.filled.len() <= MASK as usize {
            self.filled.push(number);
        }
        *entry = [pc, code];
    }

    /// Removes the code of the block at `pc`.
    pub fn remove(&mut self, pc: u64) {
        let number = number(pc);
        let entry = &mut self.entries[number as usize];
        if entry[0] == pc {
            *entry = empty(number);
        }
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        match self.filled.len() > MASK as usize {
            true => self.entries.iter_mut().zip(0..).for_each(|(entry, n)| *entry = empty(n)),
            false => self.filled.iter().for_each(|n| self.entries[*n as usize] = empty(*n)),
        }
        self.filled.clear();
    }
}

/// The entry for an address.
fn number(pc: u64) -> u16 {
    (pc >> SHIFT & MASK) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What generated code would jump to.
    fn find(t: &Targets, pc: u64) -> Option<u64> {
        let entry = t.entries[number(pc) as usize];
        (entry[0] == pc).then_some(entry[1])
    }

    #[test]
    fn entries_are_found_until_they_are_removed_or_replaced() {
        let mut t = Targets::new();
        assert_eq!([0, 2, MASK << SHIFT].map(|pc| find(&t, pc)), [None; 3]);
        // The first and the last share an entry.
        let period = (MASK + 1) << SHIFT;
        let all = [0, 0x1234, period - (1 << SHIFT), period];
        all.iter().for_each(|pc| t.insert(*pc, pc + 7));
        assert_eq!(all.map(|pc| find(&t, pc).is_some()), [false, true, true, true]);
        assert_eq!(find(&t, 0x1234), Some(0x123b));
        t.insert(0x1236, 0);
        assert_eq!(find(&t, 0x1234), None);
        t.insert(0x1234, 0);
        t.remove(0);
        t.remove(0x1234);
        assert_eq!(all.map(|pc| find(&t, pc).is_some()), [false, false, true, true]);
        t.clear();
        assert_eq!(all.map(|pc| find(&t, pc)), [None; 4]);
    }

    /// However often entries are filled and emptied.
    #[test]
    fn a_cleared_table_is_empty() {
        let mut t = Targets::new();
        for _ in 0..MASK {
            t.insert(2, 7);
            t.remove(2);
        }
        (1..=3 * MASK).for_each(|n| t.insert(n << SHIFT, 7));
        t.clear();
        assert!(t.entries.iter().zip(0..).all(|(entry, n)| *entry == empty(n)));
        t.insert(6, 7);
        t.clear();
        assert_eq!(find(&t, 6), None);
    }
}
