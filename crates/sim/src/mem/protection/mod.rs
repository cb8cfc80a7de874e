//! The host protects each page as its entry in the table says, so an engine may leave it to the host to stop an access: pages that
//! the guest cannot read are inaccessible, and those without `table::WRITE` cannot be written. Our own accesses to such a page open it
//! for as long as they take.

use super::{Memory, OutOfMemory, PAGE, Perm, host_maps, reserve_mapping, table};
use rustix::mm::{MprotectFlags, ProtFlags};
use std::ops::Range;

/// How the host maps a page with this entry.
pub(super) const fn of_entry(entry: u8) -> ProtFlags {
    match (entry & table::WRITE != 0, entry & table::READ != 0) {
        (true, _) => OPEN,
        (false, true) => ProtFlags::READ,
        (false, false) => ProtFlags::empty(),
    }
}

/// Readable and writable.
pub(super) const OPEN: ProtFlags = ProtFlags::READ.union(ProtFlags::WRITE);

/// Which of the host's mappings a change may use up.
#[derive(Clone, Copy)]
pub(super) enum Quota {
    /// Those for guests.
    Guests,
    /// Also those that are reserved for capvec itself: for changes that are undone soon, or that undo others.
    Reserve,
}

impl Memory {
    /// Changes how the host protects mapped pages.
    fn set_protection(
        &self,
        pages: &Range<u64>,
        to: ProtFlags,
        quota: Quota,
    ) -> Result<(), OutOfMemory> {
        match quota {
            Quota::Guests => reserve_mapping()?,
            Quota::Reserve => host_maps::exceed(),
        }
        let len = (pages.end - pages.start) * PAGE;
        // SAFETY: mapped pages of our own region, to which no Rust reference points.
        unsafe {
            let at = self.base.add((pages.start * PAGE) as usize).cast();
            let to = MprotectFlags::from_bits_retain(to.bits());
            rustix::mm::mprotect(at, len as usize, to)?;
        }
        Ok(())
    }

    /// Changes the protection of those mapped pages for which `change` gives a new one. If the host refuses, those that have changed
    /// stay so.
    pub(super) fn change_protection(
        &self,
        pages: Range<u64>,
        quota: Quota,
        change: impl Fn(u64) -> Option<ProtFlags>,
    ) -> Result<(), OutOfMemory> {
        let mut first = pages.start;
        while first < pages.end {
            let to = change(first);
            let end = (first + 1..pages.end).find(|p| change(*p) != to).unwrap_or(pages.end);
            if let Some(to) = to {
                self.set_protection(&(first..end), to, quota)?;
            }
            first = end;
        }
        Ok(())
    }

    /// The page's entry changes from `old` to `new`: so does its protection, if it has to.
    pub(super) fn follow(
        &self,
        page: u64,
        old: u8,
        new: u8,
        quota: Quota,
    ) -> Result<(), OutOfMemory> {
        match of_entry(new) {
            to if to == of_entry(old) => Ok(()),
            to => self.set_protection(&(page..page + 1), to, quota),
        }
    }

    /// Protects mapped pages that are open as their entries say.
    pub(super) fn protect_open(&self, pages: Range<u64>) -> Result<(), OutOfMemory> {
        let closed = |p| Some(of_entry(self.perm_byte(p))).filter(|prot| *prot != OPEN);
        self.change_protection(pages, Quota::Reserve, closed)
    }

    /// Accesses a mapped range, which is opened where the table does not grant `need`: `table::READ` or `table::WRITE`.
    pub(super) fn opened<T>(
        &self,
        (addr, len): (u64, u64),
        need: u8,
        access: impl FnOnce() -> T,
    ) -> Result<T, OutOfMemory> {
        if self.allows(addr, len, Perm(need)) {
            return Ok(access());
        }
        let pages = addr / PAGE..(addr + len).div_ceil(PAGE);
        let open = |p| (of_entry(self.perm_byte(p)) != OPEN).then_some(OPEN);
        if let Err(e) = self.change_protection(pages.clone(), Quota::Reserve, open) {
            let _ = self.protect_open(pages);
            return Err(e);
        }
        let result = access();
        self.protect_open(pages)?;
        Ok(result)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
