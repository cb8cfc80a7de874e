//! Guest memory: one reserved region of host memory per address space, with a table of page permissions.
//!
//! A guest address is an offset into the region, so that an engine that generates code can address it directly. The region spans the
//! user half of Sv39. The host protects its pages as the table says (`protection`). Pages that are not mapped are inaccessible on the
//! host as well, and so is the memory just before and after the region.

mod access;
mod changes;
mod code;
mod hidden;
mod host;
mod host_maps;
mod image;
mod low;
mod mapping;
mod object;
mod perm;
mod protection;
mod scalar;
mod shares;
mod touched;

pub use hidden::Hidden;
pub use host::memory_file;
pub use low::Low;
pub use object::Object;
pub use perm::{Perm, table};
pub use scalar::Scalar;

use std::cell::{Cell, RefCell};
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};

/// Bytes of a page.
pub const PAGE: u64 = 4096;
/// Bytes of an address space: the user half of Sv39.
pub const SPACE: u64 = 1 << 38;
const PAGES: u64 = SPACE / PAGE;
/// Bytes before and after the address space that nobody can access. With the table, those before are a multiple of `mapping::BLOCK`.
const GUARD: u64 = (4 << 20) - table::MORE;
const _: () = assert!(table::BEFORE.is_multiple_of(mapping::BLOCK));
/// All bytes of a reservation.
const RESERVED: u64 = table::BEFORE + SPACE + GUARD;

struct Region {
    perms: *mut u8,
    id: u64,
    code: code::CodePages,
    mapped_pages: Cell<u64>,
    /// Changes with mappings, permissions and discards.
    map_version: Cell<u64>,
    /// Pages of shared objects.
    shares: RefCell<shares::Shares<Object>>,
    /// Private pages that come from files as they are touched.
    images: RefCell<shares::Shares<Rc<OwnedFd>>>,
    changes: changes::Changes,
}

/// A guest address space. A clone is the same space, as for threads; `copy_pages_to` copies pages to another space.
#[derive(Clone)]
pub struct Memory {
    base: *mut u8,
    perms: *const u8,
    region: Rc<Region>,
}

/// The host refused memory.
#[derive(Debug, thiserror::Error)]
#[error("host memory for the guest: {0}")]
pub struct OutOfMemory(#[from] rustix::io::Errno);

/// The pages of the host's kernel are too large: the guest's own could not be mapped one by one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this kernel's pages have {0} bytes; guests need pages of 4096 bytes: use a kernel with pages of 4 KiB (docs/hosts.md)"
)]
pub struct LargePages(usize);

/// Whether guests can have memory on this host.
///
/// # Errors
/// Its pages are larger than the guest's.
pub fn check_host() -> Result<(), LargePages> {
    check_pages(rustix::param::page_size())
}

fn check_pages(bytes: usize) -> Result<(), LargePages> {
    if bytes as u64 > PAGE { Err(LargePages(bytes)) } else { Ok(()) }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: mapped by `Memory::new` with this length, table first, and the last user is gone.
        unsafe {
            let _ = rustix::mm::munmap(self.perms.cast(), RESERVED as usize);
        }
    }
}

/// Reserves the host mappings that one change may add.
fn reserve_mapping() -> Result<(), OutOfMemory> {
    if host_maps::reserve() { Ok(()) } else { Err(OutOfMemory(rustix::io::Errno::NOMEM)) }
}

/// Reserves inaccessible memory that begins with a page table of the host.
fn reserve_block(len: usize) -> Result<*mut u8, OutOfMemory> {
    let (none, flags) = (ProtFlags::empty(), MapFlags::PRIVATE | MapFlags::NORESERVE);
    let (block, null) = (mapping::BLOCK as usize, std::ptr::null_mut());
    // SAFETY: a new anonymous mapping at an address of the kernel's choice touches nothing of ours; the parts of it that are unmapped
    // again are used by nobody. If that fails, they stay reserved.
    unsafe {
        let all = rustix::mm::mmap_anonymous(null, len + block, none, flags)?.cast::<u8>();
        let before = all.align_offset(block);
        let start = all.add(before);
        for (at, len) in [(all, before), (start.add(len), block - before)] {
            if len > 0 {
                let _ = rustix::mm::munmap(at.cast(), len);
            }
        }
        Ok(start)
    }
}

/// Reserves the permission table with the address space after it; returns both addresses.
fn reserve() -> Result<(*mut u8, *mut u8), OutOfMemory> {
    let len = RESERVED as usize;
    let perms = reserve_block(len)?;
    let (table, prot) = (PAGES + table::MORE, MprotectFlags::READ | MprotectFlags::WRITE);
    // SAFETY: the first part of the mapping made just above, which nothing uses yet.
    if let Err(e) = unsafe { rustix::mm::mprotect(perms.cast(), table as usize, prot) } {
        // SAFETY: as above.
        let _ = unsafe { rustix::mm::munmap(perms.cast(), len) };
        return Err(e.into());
    }
    // SAFETY: within the mapping, whose first part is accessible; nothing else uses it yet.
    let base = unsafe {
        perms.add(PAGES as usize).cast::<u64>().write(SPACE);
        perms.add(table::BEFORE as usize)
    };
    Ok((perms, base))
}

impl Memory {
    /// An empty address space.
    pub fn new() -> Result<Memory, OutOfMemory> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        reserve_mapping()?;
        let (perms, base) = reserve()?;
        let region = Region {
            perms,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            code: code::CodePages::default(),
            mapped_pages: Cell::new(0),
            map_version: Cell::new(0),
            shares: RefCell::default(),
            images: RefCell::default(),
            changes: changes::Changes::default(),
        };
        Ok(Memory { base, perms, region: Rc::new(region) })
    }

    /// The space's number, which no other space of this process has or had.
    pub fn id(&self) -> u64 {
        self.region.id
    }

    /// Host address of the space's start. The permission table lies before it, see `table`.
    pub fn host_base(&self) -> *mut u8 {
        self.base
    }

    /// Changes with every change of a mapping or permission, and when pages are zeroed.
    pub fn map_version(&self) -> u64 {
        self.region.map_version.get()
    }

    /// The mapped ranges in order, each with uniform permissions. Scans the whole table, which takes milliseconds.
    pub fn mapped(&self) -> Vec<(std::ops::Range<u64>, Perm)> {
        const CHUNK: u64 = 4096;
        let mut runs: Vec<(std::ops::Range<u64>, Perm)> = Vec::new();
        let some =
            (0..PAGES).step_by(CHUNK as usize).filter(|first| !self.is_unmapped(*first, CHUNK));
        for page in some.flat_map(|first| first..first + CHUNK) {
            let at = page * PAGE;
            let Some(perm) = self.perm(at) else { continue };
            match runs.last_mut() {
                Some((run, p)) if run.end == at && *p == perm => run.end = at + PAGE,
                _ => runs.push((at..at + PAGE, perm)),
            }
        }
        runs
    }

    /// Number of bytes mapped.
    pub fn mapped_bytes(&self) -> u64 {
        self.region.mapped_pages.get() * PAGE
    }

    #[inline(always)]
    fn perm_byte(&self, page: u64) -> u8 {
        if page >= PAGES {
            return 0;
        }
        // SAFETY: `page` is below PAGES, the length of the table.
        unsafe { *self.perms.add(page as usize) }
    }

    /// `page` is below `PAGES`.
    fn set_perm_byte(&self, page: u64, value: u8) {
        debug_assert!(page < PAGES);
        // SAFETY: within the table, which only this thread writes to, and to which nobody holds a reference.
        unsafe { *self.region.perms.add(page as usize) = value };
    }

    /// Permissions of the page of `addr`; `None` if it is not mapped.
    pub fn perm(&self, addr: u64) -> Option<Perm> {
        let p = self.perm_byte(addr / PAGE);
        (p & Perm::MAPPED != 0).then_some(Perm(p & 7))
    }

    /// Whether the whole range allows `need`. Beyond the space's end nothing is mapped.
    #[inline(always)]
    pub fn allows(&self, addr: u64, len: u64, need: Perm) -> bool {
        let first = addr / PAGE;
        if self.perm_byte(first) & need.0 != need.0 {
            return false;
        }
        if (addr & (PAGE - 1)).saturating_add(len) <= PAGE {
            return true;
        }
        self.allows_slow(addr, len, need)
    }

    #[cold]
    fn allows_slow(&self, addr: u64, len: u64, need: Perm) -> bool {
        match addr.checked_add(len) {
            Some(end) if end <= SPACE => {
                (addr / PAGE..end.div_ceil(PAGE)).all(|p| self.perm_byte(p) & need.0 == need.0)
            }
            _ => false,
        }
    }

    /// The first address of the range that does not allow `need`; `addr` itself if all do.
    pub fn first_fault(&self, addr: u64, len: u64, need: Perm) -> u64 {
        if self.perm_byte(addr / PAGE) & need.0 != need.0 {
            return addr;
        }
        let mut at = addr;
        while at.wrapping_sub(addr) < len {
            if self.perm_byte(at / PAGE) & need.0 != need.0 {
                return at;
            }
            at = (at / PAGE + 1).wrapping_mul(PAGE);
        }
        addr
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_with_larger_pages_are_refused() {
        assert_eq!(check_pages(4096), Ok(()));
        for bytes in [16384, 65536] {
            let refused = check_pages(bytes).unwrap_err().to_string();
            assert!(refused.contains(&format!("pages have {bytes} bytes")), "{refused}");
        }
    }
}
