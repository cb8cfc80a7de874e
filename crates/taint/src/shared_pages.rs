//! Taint of memory that several processes share: the shadows of all its mappings are one.

use crate::shadow::Shadow;
use crate::shadow_files::Shares;
use capvec_sim::Hart;
use capvec_sim::mem::{OutOfMemory, PAGE, Perm};

impl Shadow {
    /// Shares the shadows of the memory that the followed hart shares; the hart's space must have been entered. Returns
    /// whether its mappings may have changed.
    ///
    /// # Errors
    /// The host has no memory for them.
    pub fn share(&mut self, h: &Hart) -> Result<bool, OutOfMemory> {
        let version = Some((h.mem.id(), h.mem.map_version()));
        if self.shares.seen == version {
            return Ok(false);
        }
        self.shares.seen = version;
        let (wanted, known) = (h.mem.shared_pages(), self.hart.mem.shared_pages());
        for (range, ..) in known.iter().filter(|share| !wanted.contains(share)) {
            self.hart.mem.unmap(range.start, range.end - range.start)?;
            self.pages.entry(h.mem.id()).or_default().retain(|page| !range.contains(page));
        }
        for share in wanted.into_iter().filter(|share| !known.contains(share)) {
            let (range, object, offset) = share;
            let (len, shadow) = (range.end - range.start, self.shares.shadow(object)?);
            self.hart.mem.map_shared(range.start, len, Perm::RW, shadow, offset)?;
            let pages = (range.start..range.end).step_by(PAGE as usize);
            self.pages.entry(h.mem.id()).or_default().extend(pages);
        }
        Ok(true)
    }

    /// The taint of shared objects, some of which may be mapped in no address space.
    pub fn shared(&mut self) -> &mut Shares {
        &mut self.shares
    }

    /// Whether these are whole pages that are shared: mapping them does not make their contents public.
    pub fn is_shared(&self, range: &std::ops::Range<u64>) -> bool {
        if !range.start.is_multiple_of(PAGE) || !range.end.is_multiple_of(PAGE) {
            return false;
        }
        let shared = self.hart.mem.shared_pages();
        shared.iter().any(|(pages, ..)| pages.start <= range.start && range.end <= pages.end)
    }
}
