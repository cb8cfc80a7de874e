//! Guest memory: one reserved region of host memory per address space, with a table of page permissions.
//!
//! A guest address is an offset into the region, so that an engine that generates code can address it
//! directly. The region spans the user half of Sv39; pages that are not mapped are inaccessible on the
//! host as well.

mod code;
mod host_maps;
mod perm;
mod shares;
mod touched;

pub use perm::{Perm, table};

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};

/// Bytes of a page.
pub const PAGE: u64 = 4096;
/// Bytes of an address space: the user half of Sv39.
pub const SPACE: u64 = 1 << 38;
const PAGES: u64 = SPACE / PAGE;
/// Bytes that one page of the host's last-level page table maps. The kernel frees that page only when all of them are
/// unmapped at once.
const BLOCK: u64 = 2 << 20;

/// Integers that instructions can load and store.
pub trait Scalar: Copy + 'static {
    /// Converts from memory order.
    fn decode_le(self) -> Self;
    /// Converts to memory order.
    fn encode_le(self) -> Self;
}

macro_rules! scalar {
    ($($t:ty)*) => { $(impl Scalar for $t {
        #[inline(always)]
        fn decode_le(self) -> Self { <$t>::from_le(self) }
        #[inline(always)]
        fn encode_le(self) -> Self { <$t>::to_le(self) }
    })* };
}
scalar!(u8 u16 u32 u64 i8 i16 i32 i64);

struct Region {
    perms: *mut u8,
    id: u64,
    code: code::CodePages,
    mapped_pages: Cell<u64>,
    /// Changes with mappings, permissions and discards.
    map_version: Cell<u64>,
    shares: RefCell<shares::Shares>,
}

/// A guest address space. A clone is the same space, as for threads; `fork` copies it.
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

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: mapped by `Memory::new` with this length, table first, and the last user is gone.
        unsafe {
            let _ = rustix::mm::munmap(self.perms.cast(), (PAGES + SPACE) as usize);
        }
    }
}

/// Reserves the host mappings that one change may add.
fn reserve_mapping() -> Result<(), OutOfMemory> {
    if host_maps::reserve() { Ok(()) } else { Err(OutOfMemory(rustix::io::Errno::NOMEM)) }
}

/// Reserves the permission table with the address space right after it; returns both addresses.
fn reserve() -> Result<(*mut u8, *mut u8), OutOfMemory> {
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    let (len, none) = ((PAGES + SPACE) as usize, ProtFlags::empty());
    // SAFETY: a new anonymous mapping at an address of the kernel's choice touches nothing of ours.
    let perms =
        unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, none, flags) }?.cast::<u8>();
    let prot = MprotectFlags::READ | MprotectFlags::WRITE;
    // SAFETY: the first part of the mapping made just above, which nothing uses yet.
    if let Err(e) = unsafe { rustix::mm::mprotect(perms.cast(), PAGES as usize, prot) } {
        // SAFETY: as above.
        let _ = unsafe { rustix::mm::munmap(perms.cast(), len) };
        return Err(e.into());
    }
    // SAFETY: the table's end lies within the mapping.
    Ok((perms, unsafe { perms.add(PAGES as usize) }))
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

    /// Loads at any alignment; `None` if a byte is not readable.
    #[inline(always)]
    pub fn load<T: Scalar>(&self, addr: u64) -> Option<T> {
        if !self.allows(addr, size_of::<T>() as u64, Perm::R) {
            return None;
        }
        // SAFETY: the range lies in the region and is mapped readable, which keeps it readable on the host.
        let v = unsafe { self.base.add(addr as usize).cast::<T>().read_unaligned() };
        Some(v.decode_le())
    }

    /// Stores at any alignment; `None`, with nothing written, if a byte is not writable.
    #[inline(always)]
    pub fn store<T: Scalar>(&self, addr: u64, v: T) -> Option<()> {
        let len = size_of::<T>() as u64;
        if !self.allows(addr, len, Perm(table::WRITE)) && !self.note_store(addr, len) {
            return None;
        }
        // SAFETY: the range lies in the region and is mapped writable, on the host too.
        unsafe { self.base.add(addr as usize).cast::<T>().write_unaligned(v.encode_le()) };
        Some(())
    }

    /// Fetches the half-word at an even `addr`; `None` if it is not executable.
    pub fn fetch(&self, addr: u64) -> Option<u16> {
        if !self.allows(addr, 2, Perm::X) {
            return None;
        }
        // SAFETY: mapped pages are readable on the host whatever the guest's permission.
        let v = unsafe { self.base.add(addr as usize).cast::<u16>().read_unaligned() };
        Some(u16::from_le(v))
    }

    /// Copies guest memory out under permission `need`. The error is the faulting address.
    pub fn read_as(&self, addr: u64, to: &mut [u8], need: Perm) -> Result<(), u64> {
        let need = Perm(need.0 | Perm::MAPPED);
        if to.is_empty() {
            return Ok(());
        }
        if !self.allows(addr, to.len() as u64, need) {
            return Err(self.first_fault(addr, to.len() as u64, need));
        }
        // SAFETY: the range is mapped; `to` is ours and cannot overlap the region.
        unsafe {
            std::ptr::copy_nonoverlapping(self.base.add(addr as usize), to.as_mut_ptr(), to.len())
        };
        Ok(())
    }

    /// Copies readable guest memory out. The error is the first address that is not readable.
    pub fn read(&self, addr: u64, to: &mut [u8]) -> Result<(), u64> {
        self.read_as(addr, to, Perm::R)
    }

    /// Copies into writable guest memory. The error is the first address that is not writable; then nothing is
    /// written.
    pub fn write(&self, addr: u64, from: &[u8]) -> Result<(), u64> {
        self.write_as(addr, from, Perm::W)
    }

    /// Copies into guest memory under permission `need`. `Perm::NONE` is for a loader, which writes to pages that the
    /// guest may not write.
    pub fn write_as(&self, addr: u64, from: &[u8], need: Perm) -> Result<(), u64> {
        let need = Perm(need.0 | Perm::MAPPED);
        if from.is_empty() {
            return Ok(());
        }
        if !self.allows(addr, from.len() as u64, need) {
            return Err(self.first_fault(addr, from.len() as u64, need));
        }
        self.note_writes(addr, from.len() as u64);
        // SAFETY: the range is mapped, so writable on the host; `from` is ours.
        unsafe {
            std::ptr::copy_nonoverlapping(from.as_ptr(), self.base.add(addr as usize), from.len())
        };
        Ok(())
    }

    fn page_range(addr: u64, len: u64) -> std::ops::Range<u64> {
        assert!(
            addr.is_multiple_of(PAGE)
                && len.is_multiple_of(PAGE)
                && addr.checked_add(len).is_some_and(|e| e <= SPACE)
        );
        addr / PAGE..(addr + len) / PAGE
    }

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

    /// Returns the host pages of the permission table that these pages' entries fill, if they are zero.
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
                let _ = rustix::mm::madvise(at, (end - start) as usize, Advice::LinuxDontNeed);
            }
        }
    }

    /// Whether none of these `count` pages is mapped.
    fn is_unmapped(&self, first: u64, count: u64) -> bool {
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
    fn set_across(&self, pages: std::ops::Range<u64>) {
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
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: replaces pages inside our own region; no Rust reference points into it.
        unsafe {
            let at = self.base.add(addr as usize).cast();
            rustix::mm::mmap_anonymous(at, len as usize, prot, flags)?;
        }
        self.region.shares.borrow_mut().cut(&(addr..addr + len));
        self.set_perms(pages, perm.entry());
        Ok(())
    }

    /// Maps `len` bytes of the host file from `offset`, shared with all other mappings of it, for the guest's own
    /// shared memory. The file must stay at least that long. `object` identifies the file in `shared_pages`.
    pub fn map_shared(
        &self,
        addr: u64,
        len: u64,
        perm: Perm,
        file: std::os::fd::BorrowedFd<'_>,
        (object, offset): (u64, u64),
    ) -> Result<(), OutOfMemory> {
        let pages = Self::page_range(addr, len);
        reserve_mapping()?;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: as in `map`.
        unsafe {
            let at = self.base.add(addr as usize).cast();
            let flags = MapFlags::SHARED | MapFlags::FIXED;
            rustix::mm::mmap(at, len as usize, prot, flags, file, offset)?;
        }
        self.region.shares.borrow_mut().add(addr..addr + len, object, offset);
        self.set_perms(pages, perm.entry());
        Ok(())
    }

    /// The ranges mapped by `map_shared`: addresses, object, offset in the object.
    pub fn shared_pages(&self) -> Vec<(std::ops::Range<u64>, u64, u64)> {
        self.region.shares.borrow().all()
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
        // SAFETY: as in `map`; the pages become inaccessible on the host as well. Those that are more than
        // asked for are so already.
        unsafe {
            let (at, len) = (all.start * PAGE, (all.end - all.start) * PAGE);
            let at = self.base.add(at as usize).cast();
            rustix::mm::mmap_anonymous(at, len as usize, ProtFlags::empty(), flags)?;
        }
        self.region.shares.borrow_mut().cut(&(addr..addr + len));
        self.set_perms(pages.clone(), 0);
        self.forget_perms(&pages);
        Ok(())
    }

    /// Changes the permissions of mapped pages; returns false, with nothing changed, if one is not mapped.
    pub fn protect(&self, addr: u64, len: u64, perm: Perm) -> bool {
        let pages = Self::page_range(addr, len);
        if pages.clone().any(|p| self.perm_byte(p) & Perm::MAPPED == 0) {
            return false;
        }
        self.set_perms(pages, perm.entry());
        true
    }

    /// Zeroes private pages by returning them to the host (`MADV_DONTNEED`).
    pub fn discard(&self, addr: u64, len: u64) -> Result<(), OutOfMemory> {
        Self::page_range(addr, len);
        self.note_writes(addr, len);
        // SAFETY: inside the region; the guest asked for the contents to be lost.
        unsafe {
            let at = self.base.add(addr as usize).cast();
            rustix::mm::madvise(at, len as usize, Advice::LinuxDontNeed)?;
        }
        self.region.map_version.set(self.region.map_version.get() + 1);
        Ok(())
    }

    /// Copies private pages to `child`, whose host mapping must be writable already. Skips pages that were never
    /// touched or are zero. Stops early when `go_on` returns false.
    pub fn copy_pages_to(&self, child: &Memory, addr: u64, len: u64, go_on: impl Fn() -> bool) {
        Self::page_range(addr, len);
        touched::each_page(self.base.wrapping_add(addr as usize), len, go_on, |offset| {
            let at = (addr + offset) as usize;
            // SAFETY: both ranges are mapped, page-aligned and in different regions.
            unsafe {
                let from = std::slice::from_raw_parts(self.base.add(at), PAGE as usize);
                if from.iter().any(|b| *b != 0) {
                    std::ptr::copy_nonoverlapping(from.as_ptr(), child.base.add(at), PAGE as usize);
                }
            }
        });
    }
}
