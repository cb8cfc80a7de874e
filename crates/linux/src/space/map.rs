//! Mapping, unmapping, protecting: operations on ranges of pages.

use super::{Backing, MAX_AREAS, Space, Vma};
use crate::base::errno::{Errno, Result};
use capvec_sim::mem::Perm;

/// Bytes charged for the record of an area.
const AREA: u64 = 256;

impl Space {
    /// Maps the pages `at..vma.end` as an area, in place of earlier mappings. Both are multiples of the page
    /// size inside the space.
    ///
    /// # Errors
    /// `ENOMEM` beyond the guest's or the host's memory.
    pub fn map(&mut self, at: u64, vma: Vma) -> Result<()> {
        let len = vma.end - at;
        self.unmap(at, len)?;
        if self.areas.len() >= MAX_AREAS {
            return Err(Errno::ENOMEM);
        }
        // At most three more areas: itself, and the two parts of an area that it divides.
        self.records.resize((self.areas.len() as u64 + 3) * AREA)?;
        self.tables.take(at, len, vma.charged || vma.shared())?;
        if let Err(e) = self.map_pages(at, len, &vma) {
            self.release_tables(at, len);
            return Err(e);
        }
        self.areas.insert(at, vma);
        self.merge(at);
        Ok(())
    }

    fn map_pages(&self, at: u64, len: u64, vma: &Vma) -> Result<()> {
        self.pages.grow(vma.cost(len))?;
        let mapped = match &vma.backing {
            Backing::Anon | Backing::File(_) => {
                self.mem.map(at, len, vma.perm).map_err(Errno::from)
            }
            // The object must have the pages: a host access beyond its end raises SIGBUS.
            Backing::Shared(object) => object.populate(vma.offset, len).and_then(|()| {
                Ok(self.mem.map_shared(at, len, vma.perm, object.pages(), vma.offset)?)
            }),
        };
        if mapped.is_err() {
            self.pages.shrink(vma.cost(len));
        }
        mapped
    }

    /// Merges the area at `at` with neighbours of the same attributes.
    fn merge(&mut self, at: u64) {
        let Some(mut vma) = self.areas.remove(&at) else { return };
        if let Some(next) = self.areas.get(&vma.end)
            && vma.continues(next, vma.end - at)
        {
            let end = next.end;
            self.areas.remove(&vma.end);
            vma.end = end;
        }
        if let Some((start, before)) = self.areas.range_mut(..at).next_back()
            && before.end == at
            && before.continues(&vma, at - *start)
        {
            before.end = vma.end;
            return;
        }
        self.areas.insert(at, vma);
    }

    /// Makes `at` a boundary between areas.
    fn split(&mut self, at: u64) {
        if let Some((start, vma)) = self.areas.range_mut(..at).next_back()
            && at < vma.end
        {
            let mut upper = vma.advanced(at - *start);
            // The part above a hole in the stack does not grow into the hole.
            vma.end = at;
            upper.grows = false;
            self.areas.insert(at, upper);
        }
    }

    /// Makes the range's ends boundaries between areas, and returns the starts of the areas inside.
    fn isolate(&mut self, at: u64, len: u64) -> Result<Vec<u64>> {
        if self.areas.len() + 2 > MAX_AREAS {
            return Err(Errno::ENOMEM);
        }
        self.records.resize((self.areas.len() as u64 + 2) * AREA)?;
        self.split(at);
        self.split(at + len);
        Ok(self.areas.range(at..at + len).map(|(start, _)| *start).collect())
    }

    /// Unmaps the pages of the range, which may have holes.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn unmap(&mut self, at: u64, len: u64) -> Result<()> {
        if len == 0 || self.is_free(at, len) {
            return Ok(());
        }
        let starts = self.isolate(at, len)?;
        // If the host refuses, nothing has changed.
        self.mem.unmap(at, len)?;
        for start in starts {
            if let Some(vma) = self.areas.remove(&start) {
                self.pages.shrink(vma.cost(vma.end - start));
            }
        }
        self.release_tables(at, len);
        Ok(())
    }

    /// Whether every page of the range is mapped.
    pub fn is_mapped(&self, at: u64, len: u64) -> bool {
        let mut next = at;
        while next < at + len {
            match self.area(next) {
                Some((_, vma)) => next = vma.end,
                None => return false,
            }
        }
        true
    }

    /// Changes permissions.
    ///
    /// # Errors
    /// `ENOMEM` when a page is not mapped, when inaccessible pages become accessible and no memory is left for them, or
    /// beyond the host's mappings; areas before the one that failed have changed, as on Linux. `EACCES` when a shared
    /// mapping of a file opened read-only is to become writable.
    pub fn protect(&mut self, at: u64, len: u64, perm: Perm) -> Result<()> {
        if !self.is_mapped(at, len) {
            return Err(Errno::ENOMEM);
        }
        let mut within = self.areas.range(..at + len).rev().take_while(|(_, vma)| vma.end > at);
        if perm.allows(Perm::W) && within.any(|(_, vma)| vma.read_only) {
            return Err(Errno::EACCES);
        }
        let starts = self.isolate(at, len)?;
        let done = starts.iter().try_for_each(|start| self.protect_area(*start, perm));
        starts.into_iter().for_each(|start| self.merge_at(start));
        done
    }

    /// The same for the whole area at `start`.
    fn protect_area(&mut self, start: u64, perm: Perm) -> Result<()> {
        let Some(vma) = self.areas.get_mut(&start) else { return Ok(()) };
        let len = vma.end - start;
        if !vma.charged && !vma.shared() && perm != Perm::NONE {
            self.tables.take(start, len, true)?;
            self.pages.grow(len - vma.cost(len))?;
            vma.charged = true;
        }
        if !self.mem.protect(start, len, perm) {
            return Err(Errno::ENOMEM);
        }
        vma.perm = perm;
        Ok(())
    }

    /// Calls `merge`, unless the area has been merged already.
    fn merge_at(&mut self, at: u64) {
        if self.areas.contains_key(&at) {
            self.merge(at);
        }
    }

    /// Discards the contents of private anonymous pages, which read as zero then (`MADV_DONTNEED`). Pages of
    /// files and of shared memory keep their contents.
    ///
    /// # Errors
    /// `ENOMEM` when a page is not mapped.
    pub fn discard(&mut self, at: u64, len: u64) -> Result<()> {
        let ranges: Vec<_> = self
            .areas
            .range(..at + len)
            .filter(|(_, vma)| vma.end > at && matches!(vma.backing, Backing::Anon))
            .map(|(start, vma)| (at.max(*start), vma.end.min(at + len)))
            .collect();
        for (start, end) in ranges {
            self.mem.discard(start, end - start)?;
        }
        if self.is_mapped(at, len) { Ok(()) } else { Err(Errno::ENOMEM) }
    }
}
