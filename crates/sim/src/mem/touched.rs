//! Which pages of this process have ever been touched, as the host reports it.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::PAGE;

/// Bytes of an entry, which describes one page.
const ENTRY: usize = 8;
/// Entries read at a time, for 8 MiB.
const BATCH: usize = 2048;

/// The page is in memory, or has been moved to swap (bits 63 and 62 of an entry, as the kernel's
/// Documentation/admin-guide/mm/pagemap.rst describes them).
const TOUCHED: u64 = 3 << 62;

/// The page is a file's, and has not been written (bit 61).
const OF_FILE: u64 = 1 << 61;

/// Which pages to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pages {
    /// Of zeroed memory: those that may hold anything but zeros.
    NotZero,
    /// Of a file that is mapped privately: those that may have been written.
    Written,
    /// Every page.
    Any,
}

/// Calls `visit` with the byte offset of each of these pages from `addr` on, and `go_on` every 8 MiB. Visits every page on hosts
/// that do not report touched pages.
pub(super) fn each_page(
    addr: *const u8,
    len: u64,
    which: Pages,
    go_on: impl Fn() -> bool,
    mut visit: impl FnMut(u64),
) {
    let map = File::open("/proc/self/pagemap").ok().filter(|_| which != Pages::Any);
    let mut entries = [0u8; BATCH * ENTRY];
    let first = addr.addr() as u64 / PAGE;
    for batch in (0..len / PAGE).step_by(BATCH) {
        let pages = (len / PAGE - batch).min(BATCH as u64);
        if !go_on() {
            return;
        }
        let Some(entries) = entries.get_mut(..pages as usize * ENTRY) else { return };
        let at = (first + batch) * ENTRY as u64;
        let known = map.as_ref().is_some_and(|m| m.read_exact_at(entries, at).is_ok());
        for (page, entry) in (batch..).zip(entries.as_chunks::<ENTRY>().0) {
            let entry = u64::from_ne_bytes(*entry);
            let wanted = match which {
                Pages::NotZero => entry & TOUCHED != 0,
                Pages::Written => entry & TOUCHED != 0 && entry & OF_FILE == 0,
                Pages::Any => true,
            };
            if !known || wanted {
                visit(page * PAGE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::{Memory, Perm};

    #[test]
    fn few_pages_besides_the_written_ones_are_reported() {
        let mem = Memory::new().expect("an address space");
        let (start, len) = (1 << 32, 1 << 36);
        mem.map(start, len, Perm::RW).expect("a mapping");
        // Both sides of a batch boundary, and both ends.
        let batch = BATCH as u64 * PAGE;
        let written = [0, batch - PAGE, batch, 5 * batch + 7 * PAGE, len - PAGE];
        for at in written {
            mem.write(start + at, &[1]).expect("a writable page");
        }
        let mut seen = Vec::new();
        let from = mem.host_base().wrapping_add(start as usize);
        each_page(from, len, Pages::NotZero, || true, |at| seen.push(at));
        assert!(written.iter().all(|at| seen.contains(at)));
        // The host may use huge pages.
        assert!(seen.len() <= written.len() * 512, "{} pages", seen.len());

        let child = Memory::new().expect("an address space");
        child.map(start, len, Perm::RW).expect("a mapping");
        let asked = std::cell::Cell::new(0);
        mem.copy_pages_to(&child, start, len, || {
            asked.set(asked.get() + 1);
            false
        })
        .expect("a copy");
        assert_eq!(asked.get(), 1, "it stops when the callback says so");
        mem.copy_pages_to(&child, start, len, || true).expect("a copy");
        for at in written {
            let mut byte = [0];
            child.read(start + at, &mut byte).expect("a readable page");
            assert_eq!(byte, [1], "{at:#x}");
        }
    }
}
