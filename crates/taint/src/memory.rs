//! Taint of memory: each address space has another one as its shadow, whose bytes are masks of tainted bits. A page that
//! is not mapped in the shadow is clean.

use capvec_sim::Memory;
use capvec_sim::mem::{PAGE, Perm, SPACE};

/// The pages that the range touches, cut at the end of the address space.
fn pages(addr: u64, len: u64) -> impl Iterator<Item = u64> {
    let end = addr.saturating_add(len).min(SPACE);
    (addr / PAGE..end.div_ceil(PAGE)).map(|page| page * PAGE)
}

/// Whether a bit of the range is tainted.
pub fn is_tainted(shadow: &Memory, addr: u64, len: u64) -> bool {
    pages(addr, len).any(|page| {
        if shadow.perm(page).is_none() {
            return false;
        }
        let (from, to) = (addr.max(page), addr.saturating_add(len).min(page + PAGE));
        let tainted =
            |bytes: &mut [u8]| shadow.read(from, bytes).is_err() || bytes.iter().any(|b| *b != 0);
        match (to - from) as usize {
            // Most accesses.
            len @ ..=8 => tainted(&mut [0; 8][..len]),
            len => tainted(&mut [0; PAGE as usize][..len]),
        }
    })
}

/// The masks of the range.
pub fn masks(shadow: &Memory, addr: u64, len: u64) -> Vec<u8> {
    let mut masks = vec![0; len as usize];
    for page in pages(addr, len).filter(|page| shadow.perm(*page).is_some()) {
        let (from, to) = (addr.max(page), addr.saturating_add(len).min(page + PAGE));
        // The page is mapped.
        let _ = shadow.read(from, &mut masks[(from - addr) as usize..(to - addr) as usize]);
    }
    masks
}

/// Whether the range touches a page that has been tainted.
pub fn may_be_tainted(shadow: &Memory, addr: u64, len: u64) -> bool {
    pages(addr, len).any(|page| shadow.perm(page).is_some())
}

/// Makes the range accessible in the shadow, and adds the pages that were not to `new`. Returns false if the host has no
/// memory for that.
pub fn map(shadow: &Memory, addr: u64, len: u64, new: &mut Vec<u64>) -> bool {
    for page in pages(addr, len).filter(|page| shadow.perm(*page).is_none()) {
        if shadow.map(page, PAGE, Perm::RW).is_err() {
            return false;
        }
        new.push(page);
    }
    true
}

/// Taints every bit of the range, or none.
pub fn fill(shadow: &Memory, addr: u64, len: u64, tainted: bool, new: &mut Vec<u64>) {
    for page in pages(addr, len) {
        if shadow.perm(page).is_none() && !(tainted && map(shadow, page, 1, new)) {
            continue;
        }
        let (from, to) = (addr.max(page), addr.saturating_add(len).min(page + PAGE));
        let bytes = [if tainted { 0xff } else { 0 }; PAGE as usize];
        // The page is mapped.
        let _ = shadow.write(from, &bytes[..(to - from) as usize]);
    }
}
