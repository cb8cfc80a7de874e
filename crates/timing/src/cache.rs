//! A cache's tags: which lines are present, by address.

use crate::region::range;
use capvec_sim::mem::Low;
use std::ops::Range;

/// Size and shape of a cache, in bytes. The length of a line and the number of sets are powers of two. `size` 0 means no
/// cache: every access hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Bytes of data; 0 for no cache.
    pub size: u64,
    /// Bytes of a line.
    pub line: u64,
    /// Lines of a set; 1 is direct-mapped.
    pub ways: u64,
}

/// The result of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The line was present.
    Hit,
    /// It was not, and replaced a clean line or filled an empty way.
    Miss,
    /// It was not, and replaced a modified line.
    MissDirty,
}

/// Lines that accesses did not find in a first-level cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lines {
    /// How many.
    pub misses: u32,
    /// How many of them replaced a modified line.
    pub evictions: u32,
    /// How many of them were not in the second-level cache, either.
    pub second: u32,
    /// For how many of them the TLB did not have the page.
    pub walks: u32,
}

impl Lines {
    /// Adds more of them.
    #[inline(always)]
    pub fn add(&mut self, more: Lines) {
        self.misses += more.misses;
        self.evictions += more.evictions;
        self.second += more.second;
        self.walks += more.walks;
    }
}

/// Tag of an empty way: the last addresses hold no memory.
const EMPTY: u64 = u64::MAX - 1;

/// Tags with least-recently-used replacement within a set.
#[derive(Clone, Debug)]
pub struct Cache {
    line_shift: u32,
    set_mask: u64,
    ways: usize,
    /// By set, most recently used first. A tag is the address of the line, or of its last byte if the line is
    /// modified. The two differ, since a line has more than one byte.
    tags: Low<u64>,
}

/// Location of a cache's tags, for code that probes them itself. An access to the most recently used line of a set,
/// which has the set's first tag, is a hit that changes nothing, except that a write marks a clean line modified.
#[derive(Clone, Copy, Debug)]
pub struct Tags {
    /// Host address of the first tag.
    pub address: u64,
    /// Sets, a power of two, minus one.
    pub set_mask: u64,
    /// Tags of a set.
    pub ways: u64,
    /// Binary logarithm of a line's bytes.
    pub line_shift: u32,
}

impl Cache {
    /// An empty cache.
    pub fn new(g: Geometry) -> Cache {
        let lines = (g.size / g.line) as usize;
        let sets = lines / g.ways as usize;
        Cache {
            line_shift: g.line.trailing_zeros(),
            set_mask: (sets as u64).wrapping_sub(1),
            ways: g.ways as usize,
            tags: vec![EMPTY; lines].into(),
        }
    }

    /// Empties the cache.
    pub fn clear(&mut self) {
        self.tags.fill(EMPTY);
    }

    /// Moves the tags to low addresses, for generated code.
    pub fn lower(&mut self) {
        self.tags.lower();
    }

    /// Location of the tags, valid as long as the cache exists; `None` if there is no cache.
    pub fn tags(&mut self) -> Option<Tags> {
        let (set_mask, ways, line_shift) = (self.set_mask, self.ways as u64, self.line_shift);
        let address = self.tags.as_mut_ptr() as u64;
        self.exists().then_some(Tags { address, set_mask, ways, line_shift })
    }

    /// The memory of the tags.
    pub fn region(&self) -> Range<u64> {
        range(&self.tags)
    }

    /// Whether there is a cache.
    #[inline(always)]
    pub fn exists(&self) -> bool {
        !self.tags.is_empty()
    }

    /// Number of the line of `addr`.
    #[inline(always)]
    pub fn line_of(&self, addr: u64) -> u64 {
        addr >> self.line_shift
    }

    /// Address of the first byte of a line.
    #[inline(always)]
    pub fn address(&self, line: u64) -> u64 {
        line << self.line_shift
    }

    /// Searches for `line`, and refills it on a miss. A write marks it modified.
    #[inline(always)]
    pub fn access(&mut self, line: u64, write: bool) -> Outcome {
        if self.tags.is_empty() {
            return Outcome::Hit;
        }
        let set = (line & self.set_mask) as usize * self.ways;
        let modified = self.modified(write);
        let first = &mut self.tags[set];
        if *first >> self.line_shift == line {
            *first |= modified;
            return Outcome::Hit;
        }
        self.slow(set, line, write)
    }

    /// The tag bits that mark a line modified.
    #[inline(always)]
    fn modified(&self, write: bool) -> u64 {
        ((write as u64) << self.line_shift).saturating_sub(1)
    }

    /// `access` when another line is the most recently used of the set.
    fn slow(&mut self, set: usize, line: u64, write: bool) -> Outcome {
        let (shift, modified) = (self.line_shift, self.modified(write));
        let set = &mut self.tags[set..set + self.ways];
        let found = set.iter().position(|t| *t >> shift == line && *t != EMPTY);
        let (outcome, tag) = match found {
            Some(way) => (Outcome::Hit, set[way]),
            None => match set[set.len() - 1] {
                EMPTY => (Outcome::Miss, line << shift),
                old if old & 1 == 1 => (Outcome::MissDirty, line << shift),
                _ => (Outcome::Miss, line << shift),
            },
        };
        let last = found.unwrap_or(set.len() - 1);
        set.copy_within(..last, 1);
        set[0] = tag | modified;
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Hit, Miss, MissDirty};

    fn cache(size: u64, line: u64, ways: u64) -> Cache {
        Cache::new(Geometry { size, line, ways })
    }

    #[test]
    fn direct_mapped_lines_evict_their_alias() {
        // 4 sets of one 64-byte line.
        let mut c = cache(256, 64, 1);
        assert_eq!([0, 0, 1, 3].map(|l| c.access(l, false)), [Miss, Hit, Miss, Miss]);
        assert_eq!(
            [4, 0, 4].map(|l| c.access(l, false)),
            [Miss, Miss, Miss],
            "0 and 4 share a set"
        );
        assert_eq!([1, 3].map(|l| c.access(l, false)), [Hit, Hit], "the other sets are untouched");
    }

    #[test]
    fn the_least_recently_used_way_is_evicted() {
        // 2 sets of two lines; even lines share set 0.
        let mut c = cache(128, 32, 2);
        assert_eq!([0, 2, 0].map(|l| c.access(l, false)), [Miss, Miss, Hit]);
        assert_eq!(c.access(4, false), Miss, "takes the place of 2");
        assert_eq!([0, 4, 2].map(|l| c.access(l, false)), [Hit, Hit, Miss]);
    }

    #[test]
    fn modified_lines_are_remembered_until_eviction() {
        let mut c = cache(128, 32, 2);
        assert_eq!([0, 2].map(|l| c.access(l, true)), [Miss, Miss]);
        assert_eq!(c.access(0, false), Hit, "a read leaves it modified");
        assert_eq!(c.access(4, false), MissDirty, "2 was modified");
        assert_eq!(c.access(6, false), MissDirty, "line 0 was modified, too");
        assert_eq!(c.access(8, false), Miss, "4 was not");
    }

    #[test]
    fn agrees_with_a_list_kept_in_order_of_use() {
        let mut rng = capvec_sim::testing::Rng::new("lru");
        let mut c = cache(1024, 64, 4);
        let mut sets: [Vec<u64>; 4] = Default::default();
        for _ in 0..10_000 {
            let line = rng.below(40);
            let set = &mut sets[line as usize % 4];
            let at = set.iter().position(|&l| l == line);
            at.map(|at| set.remove(at));
            set.push(line);
            if set.len() > 4 {
                set.remove(0);
            }
            assert_eq!(c.access(line, false) == Hit, at.is_some());
        }
    }

    #[test]
    fn no_cache_always_hits() {
        let mut c = cache(0, 64, 1);
        assert!(!c.exists());
        assert_eq!([1, 2, 1 << 50].map(|l| c.access(l, true)), [Hit, Hit, Hit]);
    }
}
