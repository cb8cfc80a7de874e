//! Finds the blocks of an address space by their start addresses, and limits their number.

use super::hash::Keyed;
use std::collections::HashMap;

/// Slots of the direct-mapped cache in front of the hash table; a power of two.
const SLOTS: usize = 4096;

/// An address at which no block starts, since instructions are at even addresses.
const FREE: u64 = 1;

/// Limit of the size of all blocks: decoded instructions, plus an overhead for every block. A program can jump to every even
/// address of its memory, and each time the code from there on is decoded anew. At the limit, every engine drops its blocks,
/// at the same instruction.
pub const MAX_INSNS: usize = 4 << 20;

/// What a block adds to the size, in addition to its instructions.
const BLOCK_OVERHEAD: usize = 8;

/// The numbers of the blocks of one address space. A number is used again after its block is removed.
pub struct Index {
    size: usize,
    by_start: HashMap<u64, u32, Keyed>,
    /// Start and number.
    slots: Box<[(u64, u32)]>,
    /// The next number, and numbers below it that are free.
    next: u32,
    free: Vec<u32>,
}

impl Default for Index {
    fn default() -> Index {
        let slots = vec![(FREE, 0); SLOTS].into_boxed_slice();
        Index { size: 0, by_start: HashMap::default(), slots, next: 0, free: Vec::new() }
    }
}

impl Index {
    /// Instructions of all blocks, plus an overhead for every block.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether all blocks have to be dropped before another is added.
    pub fn is_full(&self) -> bool {
        self.size >= MAX_INSNS
    }

    /// The number of the block that starts here. Caches it in the direct-mapped table.
    #[inline(always)]
    pub fn find(&mut self, start: u64) -> Option<u32> {
        let slot = slot(start);
        let (there, number) = self.slots[slot];
        if there == start {
            return Some(number);
        }
        let number = self.get(start)?;
        self.slots[slot] = (start, number);
        Some(number)
    }

    /// The number of the block that starts here.
    pub fn get(&self, start: u64) -> Option<u32> {
        self.by_start.get(&start).copied()
    }

    /// Adds a block with `insns` instructions. Returns the number of a removed block, or the next unused number.
    pub fn insert(&mut self, start: u64, insns: usize) -> u32 {
        self.size += insns + BLOCK_OVERHEAD;
        let number = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        self.by_start.insert(start, number);
        self.slots[slot(start)] = (start, number);
        number
    }

    /// Removes the block with `insns` instructions that starts here.
    pub fn remove(&mut self, start: u64, insns: usize) {
        let Some(number) = self.by_start.remove(&start) else { return };
        self.size -= insns + BLOCK_OVERHEAD;
        self.free.push(number);
        if self.slots[slot(start)].0 == start {
            self.slots[slot(start)] = (FREE, 0);
        }
    }
}

fn slot(start: u64) -> usize {
    (start >> 1) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_blocks_are_not_found() {
        let mut index = Index::default();
        // Three addresses that share a slot.
        let [a, b, c] = [0, 1, 2].map(|n| 0x1000 + n * 2 * SLOTS as u64);
        assert_eq!((index.insert(a, 3), index.insert(b, 4)), (0, 1));
        let size = index.size();
        assert_eq!(index.find(a), Some(0));
        index.remove(a, 3);
        assert_eq!((index.find(a), index.get(a), index.find(b)), (None, None, Some(1)));
        // The slot holds another block.
        assert_eq!(index.insert(c, 3), 0);
        index.remove(b, 4);
        assert_eq!((index.find(b), index.find(c)), (None, Some(0)));
        assert_eq!(index.insert(b, 4), 1);
        assert_eq!(index.size(), size);
        assert!(!index.is_full());
        assert_eq!(index.insert(a, MAX_INSNS), 2);
        assert!(index.is_full());
    }
}
