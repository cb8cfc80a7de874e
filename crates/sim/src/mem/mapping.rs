//! Changes of the mappings of an address space, and of the entries of its table of permissions.

use super::host::zero;
use super::protection::{Quota, of_entry};
use super::{Memory, Object, OutOfMemory, PAGE, PAGES, Perm, SPACE, reserve_mapping, table};
use rustix::mm::{MapFlags, ProtFlags};

/// Bytes that one page of the host's last-level page table maps. The kernel frees that page only when all of them are
/// unmapped at once.
pub(super) const BLOCK: u64 = 2 << 20;

impl Memory {
    /// The numbers of these pages. Panics unless the range consists of whole pages of the space.
    pub(super) fn page_range(addr: u64, len: u64) -> std::ops::Range<u64> {
        assert!(
            addr.is_multiple_of(PAGE)
                && len.is_multiple_of(PAGE)
                && addr.checked_add(len).is_some_and(|e| e <= SPACE)
        );
        addr / PAGE..(addr + len) / PAGE
    }

    /// Sets the entries of these pages.
    fn set_perms(&self, pages: std::ops::Range<u64>, value: u8) {
        let mut code = value & Perm::X.0 != 0;
        let mut delta = 0i64;
        for p in pages.clone() {
            // SAFETY: `page_range` has checked the bounds; the table is only written here.
            let slot = unsafe { &mut *self.region.perms.add(p as usize) };
            code |= *slot & Perm::X.0 != 0;
            delta += (value & Perm::MAPPED != 0) as i64 - (*slot & Perm::MAPPED != 0) as i64;
            // The host allocates memory for written pages only.
            if *slot != value {
                *slot = value;
            }
        }
        self.set_across(pages.clone());
        self.region.map_version.set(self.region.map_version.get() + 1);
        self.region.mapped_pages.set(self.region.mapped_pages.get().wrapping_add_signed(delta));
        if code {
            self.region.code.mapping_changed(pages);
        }
    }

    /// Gives back to the host those pages of the permission table that contain entries of these pages and are zero.
    fn forget_perms(&self, pages: &std::ops::Range<u64>) {
        let within = pages.start / PAGE * PAGE..pages.end.next_multiple_of(PAGE).min(PAGES);
        // The middle is zero; the pages at the ends may hold other entries.
        let start = within.start + if self.is_unmapped(within.start, PAGE) { 0 } else { PAGE };
        let last = within.end - PAGE;
        let end = if self.is_unmapped(last, PAGE) { within.end } else { last };
        if end > start {
            // SAFETY: inside the table, of which nobody holds a reference; zeros become zeros. If the host
            // keeps the pages, nothing is lost but memory.
            unsafe {
                let at = self.region.perms.add(start as usize).cast();
                let _ = zero(at, (end - start) as usize);
            }
        }
    }

    /// Whether none of these `count` pages is mapped.
    pub(super) fn is_unmapped(&self, first: u64, count: u64) -> bool {
        debug_assert!(first + count <= PAGES);
        // SAFETY: within the table, which only this thread writes to, and not while this borrows it.
        let perms =
            unsafe { std::slice::from_raw_parts(self.perms.add(first as usize), count as usize) };
        // Without an early exit, the compiler can vectorise it.
        perms.iter().fold(0, |all, p| all | p) == 0
    }

    /// Extends `pages` by the unmapped pages around them, up to the boundaries of the host's page-table pages.
    fn with_unmapped(&self, pages: &std::ops::Range<u64>) -> std::ops::Range<u64> {
        const BLOCK_PAGES: u64 = BLOCK / PAGE;
        let low = pages.start / BLOCK_PAGES * BLOCK_PAGES;
        let high = pages.end.next_multiple_of(BLOCK_PAGES);
        let before = self.is_unmapped(low, pages.start - low);
        let after = self.is_unmapped(pages.end, high - pages.end);
        // A single block can be freed only as a whole.
        if high - low == BLOCK_PAGES && !(before && after) {
            return pages.clone();
        }
        (if before { low } else { pages.start })..(if after { high } else { pages.end })
    }

    /// Updates the bits of `table` that combine a page with the next, after changes to these pages, for them and for
    /// the page before.
    pub(super) fn set_across(&self, pages: std::ops::Range<u64>) {
        for p in pages.start.saturating_sub(1)..pages.end {
            let old = self.perm_byte(p);
            let this = old & !(table::READ_ACROSS | table::WRITE_ACROSS);
            // READ and WRITE are bits 0 and 3; the combined bits are 4 and 7.
            let both = this & self.perm_byte(p + 1) & (table::READ | table::WRITE);
            if old != this | both << 4 {
                self.set_perm_byte(p, this | both << 4);
            }
        }
    }

    /// Maps zeroed pages, replacing what was there. Panics unless `addr` and `len` are multiples of the page size
    /// within the space: the caller validates the guest's request.
    pub fn map(&self, addr: u64, len: u64, perm: Perm) -> Result<(), OutOfMemory> {
        let pages = Self::page_range(addr, len);
        if len == 0 {
            return Ok(());
        }
        reserve_mapping()?;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        let prot = of_entry(perm.entry());
        // SAFETY: replaces pages inside our own region; no Rust reference points into it.
        unsafe {
            let at = self.base.add(addr as usize).cast();
            rustix::mm::mmap_anonymous(at, len as usize, prot, flags)?;
        }
        self.cut(addr, len);
        self.region.changes.note(addr, len);
        self.set_perms(pages, perm.entry());
        Ok(())
    }

    /// Maps `len` bytes of the object from `offset`, shared with all other mappings of it, for the guest's own
    /// shared memory. Its file must stay at least that long.
    pub fn map_shared(
        &self,
        addr: u64,
        len: u64,
        perm: Perm,
        object: &Object,
        offset: u64,
    ) -> Result<(), OutOfMemory> {
        let pages = Self::page_range(addr, len);
        reserve_mapping()?;
        let prot = of_entry(perm.entry());
        // SAFETY: as in `map`.
        unsafe {
            let at = self.base.add(addr as usize).cast();
            let flags = MapFlags::SHARED | MapFlags::FIXED;
            rustix::mm::mmap(at, len as usize, prot, flags, object.fd(), offset)?;
        }
        self.cut(addr, len);
        self.region.shares.borrow_mut().add(addr..addr + len, object.clone(), offset);
        self.region.changes.note(addr, len);
        self.set_perms(pages, perm.entry());
        object.mapped_in(self, offset..offset + len);
        Ok(())
    }

    /// The ranges mapped by `map_shared`: addresses, number of the object, offset in the object.
    pub fn shared_pages(&self) -> Vec<(std::ops::Range<u64>, u64, u64)> {
        let all = self.region.shares.borrow().all();
        all.into_iter().map(|(range, object, offset)| (range, object.id(), offset)).collect()
    }

    /// Unmaps pages; after an error, none is unmapped.
    pub fn unmap(&self, addr: u64, len: u64) -> Result<(), OutOfMemory> {
        let pages = Self::page_range(addr, len);
        if len == 0 {
            return Ok(());
        }
        reserve_mapping()?;
        let all = self.with_unmapped(&pages);
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        // SAFETY: as in `map`; the pages become inaccessible on the host as well. The additional ones are
        // inaccessible already.
        unsafe {
            let (at, len) = (all.start * PAGE, (all.end - all.start) * PAGE);
            let at = self.base.add(at as usize).cast();
            rustix::mm::mmap_anonymous(at, len as usize, ProtFlags::empty(), flags)?;
        }
        self.cut(addr, len);
        self.region.changes.note(addr, len);
        self.set_perms(pages.clone(), 0);
        self.forget_perms(&pages);
        Ok(())
    }

    /// Changes the permissions of mapped pages; returns false, with none changed, if one is not mapped or the host refuses.
    #[must_use]
    pub fn protect(&self, addr: u64, len: u64, perm: Perm) -> bool {
        let pages = Self::page_range(addr, len);
        if pages.clone().any(|p| self.perm_byte(p) & Perm::MAPPED == 0) {
            return false;
        }
        self.release_objects(&pages);
        let (new, old) = (of_entry(perm.entry()), |p| of_entry(self.perm_byte(p)));
        let change = |p| (old(p) != new).then_some(new);
        if self.change_protection(pages.clone(), Quota::Guests, change).is_err() {
            // What the host has allowed once, it allows again.
            let back = |p| change(p).map(|_| old(p));
            let _ = self.change_protection(pages, Quota::Reserve, back);
            return false;
        }
        self.set_perms(pages, perm.entry());
        true
    }

    /// Zeroes private pages by returning them to the host (`MADV_DONTNEED`).
    pub fn discard(&self, addr: u64, len: u64) -> Result<(), OutOfMemory> {
        Self::page_range(addr, len);
        self.note_writes(addr, len);
        self.region.changes.note(addr, len);
        // SAFETY: inside the region; the guest asked for the contents to be lost.
        unsafe {
            let at = self.base.add(addr as usize).cast();
            zero(at, len as usize)?;
        }
        if cfg!(not(target_os = "linux")) {
            // New pages have taken their place.
            self.protect_open(addr / PAGE..(addr + len) / PAGE)?;
        }
        self.region.map_version.set(self.region.map_version.get() + 1);
        Ok(())
    }

    /// These pages belong to no shared object and no file any more.
    fn cut(&self, addr: u64, len: u64) {
        self.region.shares.borrow_mut().cut(&(addr..addr + len));
        self.region.images.borrow_mut().cut(&(addr..addr + len));
    }
}
