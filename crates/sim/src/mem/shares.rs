//! Which pages of an address space belong to which shared object.

use std::collections::BTreeMap;
use std::ops::Range;

/// A run of an object's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    end: u64,
    object: u64,
    offset: u64,
}

/// Shared runs by their start address.
#[derive(Debug, Default)]
pub(super) struct Shares(BTreeMap<u64, Share>);

impl Shares {
    /// Records that these pages belong to the object.
    pub fn add(&mut self, pages: Range<u64>, object: u64, offset: u64) {
        self.cut(&pages);
        self.0.insert(pages.start, Share { end: pages.end, object, offset });
    }

    /// Records that these pages belong to no object.
    pub fn cut(&mut self, pages: &Range<u64>) {
        let starts: Vec<u64> = {
            let before = self.0.range(..pages.start).next_back().filter(|s| s.1.end > pages.start);
            let within = self.0.range(pages.clone());
            before.into_iter().chain(within).map(|(start, _)| *start).collect()
        };
        for start in starts {
            let Some(share) = self.0.remove(&start) else { continue };
            if start < pages.start {
                self.0.insert(start, Share { end: pages.start, ..share });
            }
            if share.end > pages.end {
                let offset = share.offset + (pages.end - start);
                self.0.insert(pages.end, Share { offset, ..share });
            }
        }
    }

    /// Whether the page at this address belongs to an object.
    pub fn contains(&self, addr: u64) -> bool {
        self.0.range(..=addr).next_back().is_some_and(|(_, share)| addr < share.end)
    }

    /// Address range, object and offset of every run.
    pub fn all(&self) -> Vec<(Range<u64>, u64, u64)> {
        self.0.iter().map(|(start, s)| (*start..s.end, s.object, s.offset)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_a_range_keeps_both_ends() {
        let mut shares = Shares::default();
        shares.add(10..20, 1, 0);
        shares.add(20..30, 2, 5);
        shares.cut(&(13..15));
        assert_eq!(shares.all(), [(10..13, 1, 0), (15..20, 1, 5), (20..30, 2, 5)]);
        shares.add(18..22, 3, 0);
        assert_eq!(shares.all(), [(10..13, 1, 0), (15..18, 1, 5), (18..22, 3, 0), (22..30, 2, 7)]);
        shares.cut(&(0..40));
        assert!(shares.all().is_empty());
    }
}
