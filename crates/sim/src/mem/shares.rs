//! Which pages of an address space belong to which object: shared memory, or a file.

use std::collections::BTreeMap;
use std::ops::Range;

/// A run of an object's pages.
#[derive(Clone, Debug)]
struct Share<T> {
    end: u64,
    object: T,
    offset: u64,
}

/// Runs of pages by their start address.
#[derive(Debug)]
pub(super) struct Shares<T>(BTreeMap<u64, Share<T>>);

impl<T> Default for Shares<T> {
    fn default() -> Self {
        Shares(BTreeMap::new())
    }
}

impl<T: Clone> Shares<T> {
    /// Records that these pages belong to the object.
    pub fn add(&mut self, pages: Range<u64>, object: T, offset: u64) {
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
                self.0.insert(start, Share { end: pages.start, ..share.clone() });
            }
            if share.end > pages.end {
                let offset = share.offset + (pages.end - start);
                self.0.insert(pages.end, Share { offset, ..share });
            }
        }
    }

    /// The object that the page at this address belongs to, and its offset there.
    pub fn at(&self, addr: u64) -> Option<(T, u64)> {
        let (start, share) = self.0.range(..=addr).next_back()?;
        (addr < share.end).then(|| (share.object.clone(), share.offset + (addr - start)))
    }

    /// The addresses at which an offset of an object is mapped.
    pub fn showing(&self, offset: u64, is_object: impl Fn(&T) -> bool) -> Vec<u64> {
        let shows = |(start, s): (&u64, &Share<T>)| {
            let addr = start + offset.checked_sub(s.offset)?;
            (addr < s.end && is_object(&s.object)).then_some(addr)
        };
        self.0.iter().filter_map(shows).collect()
    }

    /// The number of runs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Address range, object and offset of every run.
    pub fn all(&self) -> Vec<(Range<u64>, T, u64)> {
        self.0.iter().map(|(start, s)| (*start..s.end, s.object.clone(), s.offset)).collect()
    }

    /// Those parts of the runs that lie in the range.
    pub fn within(&self, range: &Range<u64>) -> Vec<(Range<u64>, T, u64)> {
        let runs = self.0.range(..range.end).rev().take_while(|(_, s)| s.end > range.start);
        let part = |(start, s): (&u64, &Share<T>)| {
            let from = *start.max(&range.start);
            (from..s.end.min(range.end), s.object.clone(), s.offset + (from - start))
        };
        runs.map(part).collect()
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
        assert_eq!(shares.within(&(21..25)), [(22..25, 2, 7), (21..22, 3, 3)]);
        assert!(shares.within(&(13..15)).is_empty());
        assert_eq!(
            (shares.at(14), shares.at(21), shares.at(22)),
            (None, Some((3, 3)), Some((2, 7)))
        );
        shares.add(40..50, 2, 0);
        assert_eq!(shares.showing(8, |object| *object == 2), [23, 48]);
        assert!(shares.showing(5, |object| *object == 3).is_empty());
        shares.cut(&(0..50));
        assert!(shares.all().is_empty());
    }
}
