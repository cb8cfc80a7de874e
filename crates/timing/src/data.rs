//! Data memory: cache lines and misaligned accesses. All in ticks.

use crate::cache::{Cache, Outcome};
use crate::params::Data;
use capvec_sim::hart::Access;

/// State of the data side.
pub struct DataSide {
    p: Data,
    cache: Cache,
}

impl DataSide {
    /// With a cold cache.
    pub fn new(p: Data) -> DataSide {
        DataSide { p, cache: Cache::new(p.cache) }
    }

    /// Ticks that the accesses of a scalar instruction cost besides its issue.
    #[inline(always)]
    pub fn scalar(&mut self, accesses: &[Access]) -> u64 {
        let mut ticks = 0;
        for a in accesses {
            let last = a.addr.wrapping_add(a.size as u64 - 1);
            ticks += if a.store { self.p.write } else { self.p.read } as u64;
            if (a.addr ^ last) & !(self.p.width - 1) != 0 {
                ticks += self.p.misaligned as u64;
            }
            ticks += self.line(self.cache.line_of(a.addr), a.store);
            if self.cache.line_of(last) != self.cache.line_of(a.addr) {
                ticks += self.line(self.cache.line_of(last), a.store);
            }
        }
        ticks
    }

    /// Ticks that the accesses of a vector instruction cost on top of hits. Neighbours in one line look it
    /// up once.
    pub fn vector(&mut self, accesses: &[Access]) -> u64 {
        let mut ticks = 0;
        let mut previous = None;
        for a in accesses.iter().filter(|a| a.size > 0) {
            let last = a.addr.wrapping_add(a.size as u64 - 1);
            for line in self.cache.line_of(a.addr)..=self.cache.line_of(last) {
                if previous != Some(line) {
                    ticks += self.line(line, a.store);
                    previous = Some(line);
                }
            }
        }
        ticks
    }

    /// Ticks for one line. A write-through cache is not allocated to by stores.
    #[inline(always)]
    fn line(&mut self, line: u64, store: bool) -> u64 {
        if store && !self.p.write_back {
            return 0;
        }
        match self.cache.access(line, store) {
            Outcome::Hit => 0,
            Outcome::Miss => self.p.miss as u64,
            Outcome::MissDirty => self.p.miss as u64 + self.p.evict as u64,
        }
    }
}
