//! Memory that the host needs for an address space in addition to its pages: page tables, and the table of page
//! permissions.

use crate::base::charge::Charge;
use crate::base::errno::Result;
use capvec_sim::mem::{PAGE, SPACE};
use std::ops::Range;

/// A set of equal parts of an address space.
struct Parts {
    size: u64,
    words: Vec<u64>,
}

impl Parts {
    fn new(size: u64) -> Parts {
        Parts { size, words: vec![0; (SPACE / size).div_ceil(64) as usize] }
    }

    /// Numbers of the parts that the range touches.
    fn of(&self, at: u64, len: u64) -> Range<u64> {
        at / self.size..(at + len).div_ceil(self.size)
    }

    fn has(&self, part: u64) -> bool {
        self.words[part as usize / 64] >> (part % 64) & 1 != 0
    }

    /// Adds or removes parts, and returns how many have changed.
    fn set(&mut self, parts: Range<u64>, to: bool) -> u64 {
        let mut changed = 0;
        for part in parts {
            if self.has(part) != to {
                self.words[part as usize / 64] ^= 1 << (part % 64);
                changed += 1;
            }
        }
        changed
    }

    /// The parts that an unmapped range touches and in which nothing else is mapped.
    fn free(&self, at: u64, len: u64, is_free: impl Fn(u64, u64) -> bool) -> Range<u64> {
        let within = self.of(at, len);
        let (low, high, end) = (within.start * self.size, within.end * self.size, at + len);
        let before = !is_free(low, at - low);
        let after = !is_free(end, high - end);
        within.start + u64::from(before)..within.end - u64::from(after)
    }

    fn missing(&self, parts: Range<u64>) -> u64 {
        parts.filter(|part| !self.has(*part)).count() as u64
    }
}

/// The parts for which the host has, or may need, a page of its page tables or of the table of permissions.
pub(super) struct Tables {
    pub(super) charge: Charge,
    /// A page of permissions covers 16 MiB.
    permissions: Parts,
    /// A page table of the lowest level maps 2 MiB; it exists once a page in that range has been touched.
    lowest: Parts,
    /// A page table of the next level maps 1 GiB. The host does not free it.
    middle: Parts,
}

impl Tables {
    pub fn new(charge: Charge) -> Tables {
        let (permissions, lowest, middle) =
            (Parts::new(PAGE * PAGE), Parts::new(2 << 20), Parts::new(1 << 30));
        Tables { charge, permissions, lowest, middle }
    }

    /// Charges the tables for a range that is going to be mapped; an inaccessible range needs no page tables.
    ///
    /// # Errors
    /// `ENOMEM`; nothing is charged then.
    pub fn take(&mut self, at: u64, len: u64, accessible: bool) -> Result<()> {
        let permissions = self.permissions.of(at, len);
        let (lowest, middle) = match accessible {
            true => (self.lowest.of(at, len), self.middle.of(at, len)),
            false => (0..0, 0..0),
        };
        let pages = self.permissions.missing(permissions.clone())
            + self.lowest.missing(lowest.clone())
            + self.middle.missing(middle.clone());
        self.charge.resize(self.charge.bytes() + pages * PAGE)?;
        self.permissions.set(permissions, true);
        self.lowest.set(lowest, true);
        self.middle.set(middle, true);
        Ok(())
    }

    /// Releases the charge for tables that only the unmapped range needed. `is_free`: whether nothing is mapped in a range.
    pub fn release(&mut self, at: u64, len: u64, is_free: impl Fn(u64, u64) -> bool) {
        let permissions = self.permissions.free(at, len, &is_free);
        let lowest = self.lowest.free(at, len, &is_free);
        let pages = self.permissions.set(permissions, false) + self.lowest.set(lowest, false);
        // A smaller charge cannot fail.
        let _ = self.charge.resize(self.charge.bytes() - pages * PAGE);
    }
}
