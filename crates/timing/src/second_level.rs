//! What misses of the first-level caches look up: a second-level cache, and a TLB. Instructions and data share both.
//!
//! Lines that are written back do not look anything up, and neither do stores to a write-through cache.

use crate::cache::{Cache, Lines, Outcome, Tags};
use crate::params::SecondLevel as Params;

/// The state of the second level.
pub struct SecondLevel {
    p: Params,
    cache: Cache,
    tlb: Cache,
}

/// The tags of the second level, for code that probes them itself, and the ticks of a miss of each.
#[derive(Clone, Copy, Debug)]
pub struct SecondTags {
    /// Those of the second-level cache, if there is one.
    pub cache: Option<(Tags, u64)>,
    /// Those of the TLB: a page is a line.
    pub tlb: Option<(Tags, u64)>,
}

impl SecondTags {
    /// Whether a miss of a first-level cache looks anything up.
    pub fn exist(&self) -> bool {
        self.cache.is_some() || self.tlb.is_some()
    }
}

impl SecondLevel {
    /// A cold second level.
    pub fn new(p: Params) -> SecondLevel {
        SecondLevel { p, cache: Cache::new(p.cache), tlb: Cache::new(p.tlb) }
    }

    /// Empties both.
    pub fn clear(&mut self) {
        self.cache.clear();
        self.tlb.clear();
    }

    /// Moves the tags to low addresses, for generated code.
    pub fn lower(&mut self) {
        self.cache.lower();
        self.tlb.lower();
    }

    /// Location of the tags.
    pub fn tags(&mut self) -> SecondTags {
        SecondTags {
            cache: self.cache.tags().map(|tags| (tags, self.p.miss.into())),
            tlb: self.tlb.tags().map(|tags| (tags, self.p.walk.into())),
        }
    }

    /// A first-level cache has missed the line at `addr`, which the second level is asked for.
    #[inline(always)]
    pub fn look_up(&mut self, addr: u64) -> Lines {
        let missed = |cache: &mut Cache| {
            let line = cache.line_of(addr);
            (cache.access(line, false) != Outcome::Hit).into()
        };
        Lines {
            misses: 1,
            second: missed(&mut self.cache),
            walks: missed(&mut self.tlb),
            ..Lines::default()
        }
    }

    /// Ticks of what was not found in the second level.
    #[inline(always)]
    pub fn ticks(&self, lines: Lines) -> u64 {
        self.p.ticks(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::Geometry;
    use crate::testing::{params, t};

    #[test]
    fn each_level_has_its_own_lines() {
        // Two lines of 128 bytes; two pages.
        let mut second = SecondLevel::new(Params {
            cache: Geometry { size: 256, line: 128, ways: 2 },
            tlb: Geometry { size: 8192, line: 4096, ways: 2 },
            miss: t(100),
            walk: t(7),
        });
        let mut cycles = |addr| {
            let lines = second.look_up(addr);
            assert_eq!((lines.misses, lines.evictions), (1, 0));
            second.ticks(lines) / u64::from(t(1))
        };
        assert_eq!([0x1000, 0x1040, 0x1080, 0x1000].map(&mut cycles), [107, 0, 100, 0]);
        assert_eq!([0x2000, 0x3000, 0x2000].map(&mut cycles), [107, 107, 0]);
        assert_eq!([0x1000, 0x1080].map(&mut cycles), [107, 100], "both pages are evicted");
    }

    #[test]
    fn without_a_second_level_nothing_is_missed() {
        let mut second = SecondLevel::new(params().data.second);
        assert!(!second.tags().exist());
        assert_eq!(second.look_up(64), Lines { misses: 1, ..Lines::default() });
    }
}
