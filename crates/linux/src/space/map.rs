//! Mapping, unmapping, protecting: operations on ranges of pages.

use super::{Backing, MAX_AREAS, Space, Vma};
use crate::base::errno::{Errno, Result};
use capvec_sim::mem::Perm;

/// What the record of an area counts: about what it takes.
const AREA: u64 = 256;

impl Space {
    /// Makes the pages `at..vma.end` an area, in place of what was there. Both are multiples of the page
    /// size inside the space.
    ///
    /// # Errors
    /// `ENOMEM` when the guest's or the host's memory does not suffice.
    pub fn map(&mut self, at: u64, vma: Vma) -> Result<()> {
        let len = vma.end - at;
        self.unmap(at, len)?;
        if self.areas.len() >= MAX_AREAS {
            return Err(Errno::ENOMEM);
        }
        // The areas that this may make: itself, and parts of one that it divides.
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
            // It provides the pages: touching the object beyond its end would be the end of us.
            Backing::Shared(object) => object.provide(vma.offset, len).and_then(|()| {
                let part = (object.id(), vma.offset);
                Ok(self.mem.map_shared(at, len, vma.perm, object.fd(), part)?)
            }),
        };
        if mapped.is_err() {
            self.pages.shrink(vma.cost(len));
        }
        mapped
    }

    /// Joins the area at `at` with its neighbours where they are alike.
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
            // What lies above a hole in the stack does not grow into it.
            vma.end = at;
            upper.grows = false;
            self.areas.insert(at, upper);
        }
    }

    /// Starts of the areas in the range, whose ends are made boundaries.
    fn isolate(&mut self, at: u64, len: u64) -> Result<Vec<u64>> {
        if self.areas.len() + 2 > MAX_AREAS {
            return Err(Errno::ENOMEM);
        }
        self.records.resize((self.areas.len() as u64 + 2) * AREA)?;
        self.split(at);
        self.split(at + len);
        Ok(self.areas.range(at..at + len).map(|(start, _)| *start).collect())
    }

    /// Unmaps the pages of the range; holes in it do not matter.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn unmap(&mut self, at: u64, len: u64) -> Result<()> {
        if len == 0 || self.is_free(at, len) {
            return Ok(());
        }
        let starts = self.isolate(at, len)?;
        // The host may refuse; everything is as before then.
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
    /// `ENOMEM` when a page is not mapped, or when pages become usable for which there is no memory; `EACCES`
    /// when pages of a file that was opened for reading only are to become writable.
    pub fn protect(&mut self, at: u64, len: u64, perm: Perm) -> Result<()> {
        if !self.is_mapped(at, len) {
            return Err(Errno::ENOMEM);
        }
        let mut within = self.areas.range(..at + len).rev().take_while(|(_, vma)| vma.end > at);
        if perm.allows(Perm::W) && within.any(|(_, vma)| vma.read_only) {
            return Err(Errno::EACCES);
        }
        let starts = self.isolate(at, len)?;
        for start in &starts {
            let Some(vma) = self.areas.get_mut(start) else { continue };
            if !vma.charged && !vma.shared() && perm != Perm::NONE {
                let len = vma.end - start;
                self.tables.take(*start, len, true)?;
                self.pages.grow(len - vma.cost(len))?;
                vma.charged = true;
            }
            vma.perm = perm;
            self.mem.protect(*start, vma.end - start, perm);
        }
        starts.into_iter().for_each(|start| self.merge_at(start));
        Ok(())
    }

    /// As `merge`, unless the area has been merged already.
    fn merge_at(&mut self, at: u64) {
        if self.areas.contains_key(&at) {
            self.merge(at);
        }
    }

    /// Gives back the contents of private pages, which become zero (`MADV_DONTNEED`). Pages of files and
    /// shared memory keep theirs.
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
