//! The blocks of the C library's heap that are in use, and those that have been freed.

use std::collections::BTreeMap;

/// Blocks of the C library's heap, by address space and address, with their sizes.
#[derive(Default)]
pub struct Heap {
    live: BTreeMap<(u64, u64), u64>,
    freed: BTreeMap<(u64, u64), u64>,
}

impl Heap {
    /// A block was allocated, unless the address is 0. Freed memory in it has a new owner.
    pub fn allocate(&mut self, space: u64, addr: u64, bytes: u64) {
        if addr == 0 {
            return;
        }
        let end = addr.saturating_add(bytes);
        let overlapping = self.freed.range((space, 0)..(space, end));
        let overlapping = overlapping.filter(|((_, at), size)| at + **size > addr);
        let taken: Vec<(u64, u64)> = overlapping.map(|((_, at), size)| (*at, *size)).collect();
        for (at, size) in taken {
            self.freed.remove(&(space, at));
            if at < addr {
                self.freed.insert((space, at), addr - at);
            }
            if at + size > end {
                self.freed.insert((space, end), at + size - end);
            }
        }
        self.live.insert((space, addr), bytes);
    }

    /// A block was freed.
    pub fn free(&mut self, space: u64, addr: u64) {
        if let Some(bytes) = self.live.remove(&(space, addr)) {
            self.freed.insert((space, addr), bytes);
        }
    }

    /// The blocks that are free: their addresses and sizes.
    pub fn freed(&self, space: u64) -> Vec<(u64, u64)> {
        let all = self.freed.range((space, 0)..=(space, u64::MAX));
        all.map(|((_, at), size)| (*at, *size)).collect()
    }
}
