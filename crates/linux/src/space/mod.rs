//! The address space of a process: its areas and their pages.
//!
//! The layout is fixed, so that runs repeat, unless [`Layout::random`] moves the parts:
//!
//! | Address        | What |
//! |---             |---|
//! | as linked      | a program that is not position independent, then its heap |
//! | `PIE_BASE`     | a position-independent program, then its heap |
//! | below `MMAP_TOP` | the interpreter and `mmap`, downwards |
//! | below `STACK_TOP` | the stack, growing down to `STACK_LIMIT` bytes |
//! | `STACK_TOP`    | one page with the signal trampoline |

mod account;
mod fill;
mod guest_memory;
mod iovec;
mod layout;
mod map;
mod reads;
mod remap;
mod shared_object;
mod tables;
mod vma;

pub use account::{Account, StopRequest};
pub use fill::{FileBytes, fill};
pub use guest_memory::GuestMemory;
pub use iovec::{CHUNK, MAX_COUNT, Range};
pub use layout::{Layout, STACK_TOP, TRAMPOLINE};
pub use reads::Reads;
pub use remap::Placement;
pub use shared_object::{SharedFiles, SharedObject};
pub use vma::{Backing, FileId, Vma};

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use capvec_sim::mem::{Memory, OutOfMemory, PAGE, Perm, SPACE};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The stack's maximum size in bytes: the default `RLIMIT_STACK`.
pub const STACK_LIMIT: u64 = 8 << 20;
/// Bytes of the stack that are mapped at first, and by which it grows.
const STACK_STEP: u64 = 128 << 10;
/// Lowest address that is ever mapped (`vm.mmap_min_addr`): `CONFIG_DEFAULT_MMAP_MIN_ADDR` of Debian's riscv64 kernel
/// (package linux-config-6.12). Programs that GCL has saved begin there.
pub const MMAP_MIN: u64 = 0x1000;
/// Maximum number of areas (`vm.max_map_count`).
const MAX_AREAS: usize = 65530;

/// Rounds up to a multiple of the page size; `None` beyond the space.
pub fn page_up(v: u64) -> Option<u64> {
    let up = v.checked_add(PAGE - 1)? & !(PAGE - 1);
    (up <= SPACE).then_some(up)
}

/// Whether none of the areas lies in the range.
fn is_free(areas: &BTreeMap<u64, Vma>, at: u64, len: u64) -> bool {
    let Some(end) = at.checked_add(len).filter(|e| *e <= SPACE) else { return false };
    areas.range(..end).next_back().is_none_or(|(_, vma)| vma.end <= at)
}

/// The address space of a process.
pub struct Space {
    /// The pages.
    pub mem: Memory,
    areas: BTreeMap<u64, Vma>,
    account: Rc<Account>,
    /// For the pages of areas that are charged here.
    pages: Charge,
    /// For the records of areas.
    records: Charge,
    /// For the host's page tables.
    tables: tables::Tables,
    /// Where its parts lie.
    pub layout: Layout,
    /// Start of the heap.
    pub brk_start: u64,
    /// End of the heap, not rounded to a page.
    pub brk: u64,
}

impl From<OutOfMemory> for Errno {
    fn from(_: OutOfMemory) -> Errno {
        Errno::ENOMEM
    }
}

impl Space {
    /// An empty space.
    ///
    /// # Errors
    /// `ENOMEM` when the host cannot reserve the region.
    pub fn new(account: &Rc<Account>) -> Result<Space> {
        let mem = Memory::new()?;
        let (pages, records) = (account.take(0)?, account.take(0)?);
        let tables = tables::Tables::new(account.take(0)?);
        let account = Rc::clone(account);
        let (areas, layout) = (BTreeMap::new(), Layout::default());
        Ok(Space { mem, areas, account, pages, records, tables, layout, brk_start: 0, brk: 0 })
    }

    /// The areas by ascending start.
    pub fn areas(&self) -> impl DoubleEndedIterator<Item = (u64, &Vma)> {
        self.areas.iter().map(|(start, vma)| (*start, vma))
    }

    /// The area of `addr` with its start.
    pub fn area(&self, addr: u64) -> Option<(u64, &Vma)> {
        let (start, vma) = self.areas.range(..=addr).next_back()?;
        (addr < vma.end).then_some((*start, vma))
    }

    /// Checked in loops that may take long; see [`Account::ensure_running`].
    ///
    /// # Errors
    /// `EINTR` when the run must stop.
    pub fn ensure_running(&self) -> Result<()> {
        self.account.ensure_running()
    }

    /// Bytes mapped.
    pub fn mapped(&self) -> u64 {
        self.mem.mapped_bytes()
    }

    /// The highest gap of `len` bytes below where `mmap` begins to look.
    pub fn find_gap(&self, len: u64) -> Option<u64> {
        let mut top = self.layout.libraries();
        for (start, vma) in self.areas().rev() {
            if vma.end <= top && top - vma.end >= len {
                return Some(top - len);
            }
            top = top.min(start);
        }
        (top >= MMAP_MIN.checked_add(len)?).then(|| top - len)
    }

    /// Whether nothing is mapped in the range.
    pub fn is_free(&self, at: u64, len: u64) -> bool {
        is_free(&self.areas, at, len)
    }

    /// Releases the charge for the host's tables that only the unmapped range needed.
    fn release_tables(&mut self, at: u64, len: u64) {
        self.tables.release(at, len, |at, len| is_free(&self.areas, at, len));
    }

    /// Maps the stack.
    pub fn map_stack(&mut self) -> Result<()> {
        let name = FileId { path: b"[stack]".to_vec(), dev: 0, ino: 0, _charge: None };
        let mut vma = Vma::anon(STACK_TOP, Perm::RW);
        vma.grows = true;
        vma.id = Some(Rc::new(name));
        self.map(STACK_TOP - STACK_STEP, vma)
    }

    /// Grows the stack down to `addr` if its limit allows; returns whether it did.
    pub fn grow_stack(&mut self, addr: u64) -> bool {
        let Some((start, vma)) = self.areas.range(addr..).next() else { return false };
        let (start, mut more) = (*start, vma.clone());
        if !more.grows || more.end - addr > STACK_LIMIT || self.area(addr).is_some() {
            return false;
        }
        let floor = more.end.saturating_sub(STACK_LIMIT);
        let below = self.areas.range(..start).next_back().map_or(MMAP_MIN, |(_, v)| v.end);
        let at = (addr & !(STACK_STEP - 1)).max(floor).max(below);
        let end = more.end;
        more.end = start;
        if at > addr || self.map(at, more).is_err() {
            return false;
        }
        // Join both into one area, which the next growth extends.
        if let Some(mut whole) = self.areas.remove(&at) {
            self.areas.remove(&start);
            whole.end = end;
            self.areas.insert(at, whole);
        }
        true
    }

    /// A copy for a child process.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn fork(&self) -> Result<Space> {
        let mut child = Space::new(&self.account)?;
        for (start, vma) in self.areas() {
            self.account.ensure_running()?;
            child.map(start, vma.clone())?;
            if !vma.shared() && !vma.is_blank() {
                let ensure_running = || self.account.ensure_running().is_ok();
                self.mem
                    .copy_pages_to(&child.mem, start, vma.end - start, ensure_running)
                    .map_err(|_| Errno::ENOMEM)?;
            }
        }
        self.account.ensure_running()?;
        (child.layout, child.brk_start, child.brk) = (self.layout, self.brk_start, self.brk);
        Ok(child)
    }

    /// Begins an empty heap after a program that ends here.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn begin_heap(&mut self, end: u64) -> Result<()> {
        let start = self.layout.heap(end);
        (self.brk_start, self.brk) = (start, start);
        // `set_brk` maps whole pages after this one.
        match start % PAGE {
            0 => Ok(()),
            within => self.map(start - within, Vma::anon(start - within + PAGE, Perm::RW)),
        }
    }

    /// Moves the end of the heap and returns it; if it cannot be moved there, the old end (the convention of
    /// `brk`).
    pub fn set_brk(&mut self, to: u64) -> u64 {
        if to < self.brk_start {
            return self.brk;
        }
        let (Some(old), Some(new)) = (page_up(self.brk), page_up(to)) else { return self.brk };
        let done = if new > old {
            // One page before the next area stays free, as a guard.
            self.is_free(old, new - old + PAGE) && self.map(old, Vma::anon(new, Perm::RW)).is_ok()
        } else {
            self.unmap(new, old - new).is_ok()
        };
        if done {
            self.brk = to;
        }
        self.brk
    }
}

#[cfg(test)]
mod tests;
