//! Data memory: the cache, and misaligned accesses. All costs are in ticks.

use crate::cache::{Cache, Lines, Outcome, Tags};
use crate::params::{Data, SecondLevel as SecondParams};
use crate::second_level::SecondLevel;
use capvec_sim::hart::Access;
use std::ops::Range;

/// What a scalar access finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Found {
    /// It is not aligned to its size.
    pub unaligned: bool,
    /// It crosses a multiple of the path's width.
    pub crosses: bool,
    /// The lines.
    pub lines: Lines,
}

impl Data {
    /// Ticks of a scalar access, apart from its issue.
    #[inline(always)]
    pub fn ticks(&self, store: bool, found: Found) -> u64 {
        let mut ticks = if store { self.write } else { self.read } as u64;
        if self.emulated > 0 && found.unaligned {
            ticks += self.emulated as u64;
        } else if found.crosses {
            ticks += self.misaligned as u64;
        }
        ticks + self.line_ticks(found.lines)
    }

    /// Ticks of misses.
    #[inline(always)]
    pub fn line_ticks(&self, lines: Lines) -> u64 {
        let evictions = lines.evictions as u64 * self.evict as u64;
        lines.misses as u64 * self.miss as u64 + evictions + self.second.ticks(lines)
    }
}

impl SecondParams {
    /// Ticks of misses of the second-level cache and of the TLB.
    #[inline(always)]
    pub fn ticks(&self, lines: Lines) -> u64 {
        lines.second as u64 * self.miss as u64 + lines.walks as u64 * self.walk as u64
    }
}

/// The state of data memory.
pub struct DataSide {
    p: Data,
    cache: Cache,
    /// What fetching shares.
    pub second: SecondLevel,
    misses: u64,
}

impl DataSide {
    /// Data memory with cold caches.
    pub fn new(p: Data) -> DataSide {
        DataSide { p, cache: Cache::new(p.cache), second: SecondLevel::new(p.second), misses: 0 }
    }

    /// Empties the caches.
    pub fn clear(&mut self) {
        self.cache.clear();
        self.second.clear();
    }

    /// Number of misses that it has found itself; generated code does not count its own.
    pub fn misses(&self) -> u64 {
        self.misses
    }

    /// Moves what generated code accesses to low addresses.
    pub fn lower(&mut self) {
        self.cache.lower();
        self.second.lower();
    }

    /// Location of the cache's tags.
    pub fn tags(&mut self) -> Option<Tags> {
        self.cache.tags()
    }

    /// The memory of the cache's tags.
    pub fn region(&self) -> Range<u64> {
        self.cache.region()
    }

    /// Ticks of a scalar instruction's accesses, apart from its issue.
    #[inline(always)]
    pub fn scalar(&mut self, accesses: &[Access]) -> u64 {
        let mut ticks = 0;
        for a in accesses {
            let found = self.find(a);
            ticks += self.p.ticks(a.store, found);
        }
        ticks
    }

    /// What a scalar access finds. It depends on shapes, not on costs.
    #[inline(always)]
    pub fn find(&mut self, a: &Access) -> Found {
        let last = a.addr.wrapping_add(a.size as u64 - 1);
        let mut lines = self.line(self.cache.line_of(a.addr), a.store);
        if self.cache.line_of(last) != self.cache.line_of(a.addr) {
            lines.add(self.line(self.cache.line_of(last), a.store));
        }
        Found {
            unaligned: !a.addr.is_multiple_of(a.size.into()),
            crosses: (a.addr ^ last) & !(self.p.width - 1) != 0,
            lines,
        }
    }

    /// Ticks of a vector instruction's misses.
    pub fn vector(&mut self, accesses: &[Access]) -> u64 {
        let lines = self.find_vector(accesses);
        self.p.line_ticks(lines)
    }

    /// What a vector instruction's accesses find. Consecutive accesses to the same line probe it once.
    pub fn find_vector(&mut self, accesses: &[Access]) -> Lines {
        let mut lines = Lines::default();
        let mut previous = None;
        for a in accesses.iter().filter(|a| a.size > 0) {
            let last = a.addr.wrapping_add(a.size as u64 - 1);
            for line in self.cache.line_of(a.addr)..=self.cache.line_of(last) {
                if previous != Some(line) {
                    lines.add(self.line(line, a.store));
                    previous = Some(line);
                }
            }
        }
        lines
    }

    #[inline(always)]
    fn look_up(&mut self, line: u64) -> Lines {
        self.misses += 1;
        self.second.look_up(self.cache.address(line))
    }

    /// What an access finds of one line. Stores do not allocate in a write-through cache.
    #[inline(always)]
    fn line(&mut self, line: u64, store: bool) -> Lines {
        if store && !self.p.write_back {
            return Lines::default();
        }
        match self.cache.access(line, store) {
            Outcome::Hit => Lines::default(),
            Outcome::Miss => self.look_up(line),
            Outcome::MissDirty => Lines { evictions: 1, ..self.look_up(line) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Geometry;
    use crate::testing::{params, t};

    fn side(write_back: bool) -> DataSide {
        // 4 sets of one 64-byte line; 30 cycles per miss, 9 per write-back, 1 per load, 2 per store.
        let cache = Geometry { size: 256, line: 64, ways: 1 };
        let (read, write, evict) = (t(1), t(2), t(9));
        DataSide::new(Data { cache, write_back, read, write, evict, ..params().data })
    }

    fn load(addr: u64, size: u32) -> Access {
        Access { addr, size, store: false }
    }

    fn store(addr: u64, size: u32) -> Access {
        Access { addr, size, store: true }
    }

    fn scalar(d: &mut DataSide, a: Access) -> u64 {
        d.scalar(&[a]) / t(1) as u64
    }

    #[test]
    fn write_through_does_not_allocate() {
        let mut d = side(false);
        assert_eq!(scalar(&mut d, store(0x100, 8)), 2);
        assert_eq!(scalar(&mut d, load(0x100, 8)), 31, "the store did not allocate a line");
        assert_eq!(scalar(&mut d, load(0x138, 8)), 1);
        assert_eq!(scalar(&mut d, load(0x200, 8)), 31);
        assert_eq!(scalar(&mut d, load(0x100, 8)), 31, "evicted by its alias");
    }

    #[test]
    fn write_back_allocates_and_evicts() {
        let mut d = side(true);
        assert_eq!(scalar(&mut d, store(0x100, 8)), 32);
        assert_eq!(scalar(&mut d, load(0x100, 8)), 1);
        assert_eq!(scalar(&mut d, load(0x200, 8)), 40, "the modified line is written back");
        assert_eq!(scalar(&mut d, load(0x300, 8)), 31, "this one was clean");
    }

    #[test]
    fn an_access_that_crosses_the_data_path_is_misaligned() {
        let mut d = side(false);
        d.scalar(&[load(0x100, 8), load(0x140, 8)]);
        assert_eq!(scalar(&mut d, load(0x103, 4)), 1);
        assert_eq!(scalar(&mut d, load(0x105, 4)), 6);
        assert_eq!(scalar(&mut d, load(0x13c, 8)), 6, "two lines, both cached");
        assert_eq!(scalar(&mut d, load(0x17c, 8)), 36, "the second line is not cached");
    }

    #[test]
    fn vector_accesses_look_each_line_up_once() {
        let mut d = side(false);
        assert_eq!(d.vector(&[load(0x100, 256)]), t(4 * 30) as u64);
        let elements: Vec<Access> = (0..64).map(|k| load(0x104 + 4 * k, 4)).collect();
        assert_eq!(d.vector(&elements), t(30) as u64, "the last line is not cached");
        assert_eq!(d.vector(&[load(0x200, 0)]), 0);
    }
}
