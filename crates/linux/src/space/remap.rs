//! `mremap`.

use super::{Backing, Space, Vma, page_up};
use crate::base::errno::{Errno, Result};
use capvec_sim::mem::{PAGE, Perm, SPACE};

/// Where `mremap` may put the area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Only where it is.
    Stay,
    /// At another address, if need be.
    MayMove,
    /// At this address, in place of earlier mappings.
    Fixed(u64),
}

impl Space {
    /// Changes the size of the mapping at `old`, moves it if need be, and returns its address. If the old size is 0, maps the same
    /// shared pages a second time.
    ///
    /// # Errors
    /// As `mremap`: `EINVAL`, also if the old size is 0 and the pages are private or the mapping is to stay; `EFAULT` when the old range is
    /// not one area; `ENOMEM`.
    pub fn remap(&mut self, old: u64, old_len: u64, len: u64, to: Placement) -> Result<u64> {
        let old_len = page_up(old_len).ok_or(Errno::EINVAL)?;
        let len = page_up(len).ok_or(Errno::EINVAL)?;
        if !old.is_multiple_of(PAGE) || len == 0 {
            return Err(Errno::EINVAL);
        }
        let end = old.checked_add(old_len).filter(|e| *e <= SPACE).ok_or(Errno::EINVAL)?;
        let (start, vma) = self.area(old).ok_or(Errno::EFAULT)?;
        if vma.end < end {
            return Err(Errno::EFAULT);
        }
        let vma = Vma { grows: false, ..vma.advanced(old - start) };
        if let Backing::File(file) = &vma.backing
            && (1..len).contains(&old_len)
            && file.strong_count() == 0
        {
            // The contents of the new pages can be read only while the file is open somewhere.
            return Err(Errno::ENOMEM);
        }
        if let Placement::Fixed(at) = to {
            let free = at.checked_add(len).is_some_and(|e| e <= old || at >= end);
            if at % PAGE != 0 || !free || at.checked_add(len).is_none_or(|e| e > SPACE) {
                return Err(Errno::EINVAL);
            }
        }
        if old_len == 0 {
            return self.map_again(vma, len, to);
        }
        if let Placement::Fixed(at) = to {
            return self.move_area(old, old_len, at, len, vma);
        }
        if len <= old_len {
            self.unmap(old + len, old_len - len)?;
            return Ok(old);
        }
        if vma.end == end && self.is_free(end, len - old_len) {
            self.map(end, Vma { end: old + len, ..vma.advanced(old_len) })?;
            self.fill_from_file(&vma, old, old_len, len)?;
            return Ok(old);
        }
        if to == Placement::Stay {
            return Err(Errno::ENOMEM);
        }
        let at = self.find_gap(len).ok_or(Errno::ENOMEM)?;
        self.move_area(old, old_len, at, len, vma)
    }

    /// Maps the first `len` bytes of a shared area a second time.
    fn map_again(&mut self, vma: Vma, len: u64, to: Placement) -> Result<u64> {
        let at = match to {
            _ if !vma.shared() => return Err(Errno::EINVAL),
            Placement::Stay => return Err(Errno::EINVAL),
            Placement::MayMove => self.find_gap(len).ok_or(Errno::ENOMEM)?,
            Placement::Fixed(at) => at,
        };
        self.map(at, Vma { end: at + len, ..vma })?;
        Ok(at)
    }

    /// Fills the pages after the first `old_len` bytes from the file.
    fn fill_from_file(&self, vma: &Vma, at: u64, old_len: u64, len: u64) -> Result<()> {
        match &vma.backing {
            Backing::File(file) if len > old_len => {
                let file = file.upgrade().ok_or(Errno::ENOMEM)?;
                let (from, rest) = (vma.offset + old_len, len - old_len);
                super::fill(self, &*file, at + old_len, from, rest)
            }
            _ => Ok(()),
        }
    }

    fn move_area(&mut self, old: u64, old_len: u64, at: u64, len: u64, vma: Vma) -> Result<u64> {
        let copied = if vma.shared() || vma.is_blank() { 0 } else { old_len.min(len) };
        self.map(at, Vma { end: at + len, ..vma.clone() })?;
        self.fill_from_file(&vma, at, old_len, len)?;
        let mut page = [0; PAGE as usize];
        for offset in (0..copied).step_by(PAGE as usize) {
            if offset % (1 << 20) == 0 {
                self.account.ensure_running()?;
            }
            let fault = |_| Errno::EFAULT;
            self.mem.read_as(old + offset, &mut page, Perm::NONE).map_err(fault)?;
            if page.iter().any(|b| *b != 0) {
                self.mem.write_as(at + offset, &page, Perm::NONE).map_err(fault)?;
            }
        }
        self.unmap(old, old_len)?;
        Ok(at)
    }
}
