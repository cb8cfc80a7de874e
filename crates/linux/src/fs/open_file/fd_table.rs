//! Descriptor tables.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::FileRef;
use crate::base::charge::{Charge, Meter};
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{limit, o};
use crate::fs::locks::record_lock::LockOwner;

/// A descriptor's entry: the description and the descriptor's own flag.
#[derive(Clone, Debug)]
struct Slot {
    file: FileRef,
    cloexec: bool,
}

/// The descriptors of one process. Threads share one table
/// through `Rc<RefCell<FdTable>>`. It owns the record locks of its processes, which are released when any descriptor of
/// the file is closed.
#[derive(Debug)]
pub struct FdTable {
    number: u64,
    slots: Vec<Option<Slot>>,
    limit: usize,
    /// For descriptors above [`FdTable::HARD_LIMIT`], once the limit has been raised above it.
    charge: Option<Charge>,
}

impl Default for FdTable {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for FdTable {
    fn drop(&mut self) {
        for slot in std::mem::take(&mut self.slots).into_iter().flatten() {
            self.closed(slot);
        }
    }
}

/// A number that no other table has or has had.
fn fresh_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl FdTable {
    /// The limit of a new table, Linux's default `RLIMIT_NOFILE`.
    pub const DEFAULT_LIMIT: usize = 1024;
    /// Linux's default hard `RLIMIT_NOFILE`. The charge of each process covers this many descriptors.
    pub const HARD_LIMIT: usize = 4096;
    /// The maximum for [`FdTable::set_limit`].
    pub const MAX_LIMIT: usize = limit::NR_OPEN;
    /// Bytes charged for a descriptor above [`FdTable::HARD_LIMIT`], with what it refers to.
    const DESCRIPTOR: u64 = 192;

    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        FdTable {
            number: fresh_number(),
            slots: Vec::new(),
            limit: Self::DEFAULT_LIMIT,
            charge: None,
        }
    }

    /// The copy that `fork` makes.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn copy(&self) -> Result<Self> {
        let charge = self.charge.as_ref().map(|c| c.another(c.bytes())).transpose()?;
        // As large as its open descriptors need (`sane_fdtable_size`).
        let len = self.slots.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let (slots, limit) = (self.slots[..len].to_vec(), self.limit);
        Ok(FdTable { number: fresh_number(), slots, limit, charge })
    }

    /// A number that no other table has or has had.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Releases the record locks of a closed slot, and returns its description.
    fn closed(&self, slot: Slot) -> FileRef {
        slot.file.release_record_locks(LockOwner::Table(self.number));
        slot.file
    }

    /// Sets the soft `RLIMIT_NOFILE`, at most [`FdTable::MAX_LIMIT`]. Open descriptors stay open. All descriptors that
    /// the limit allows are charged to `meter` at once, and the charge lasts as long as the table.
    ///
    /// # Errors
    /// `ENOMEM`; the limit is unchanged then.
    pub fn set_limit(&mut self, limit: usize, meter: Rc<dyn Meter>) -> Result<()> {
        let limit = limit.min(Self::MAX_LIMIT);
        let bytes = limit.saturating_sub(Self::HARD_LIMIT) as u64 * Self::DESCRIPTOR;
        match &self.charge {
            Some(charge) => charge.resize(bytes.max(charge.bytes()))?,
            None if bytes > 0 => self.charge = Some(Charge::new(meter, bytes)?),
            None => {}
        }
        self.limit = limit;
        Ok(())
    }

    fn slot(&self, fd: i32) -> Result<&Slot> {
        let index = usize::try_from(fd).map_err(|_| Errno::EBADF)?;
        self.slots.get(index).and_then(Option::as_ref).ok_or(Errno::EBADF)
    }

    /// The open file description that `fd` refers to.
    ///
    /// # Errors
    /// `EBADF` when `fd` is not open.
    pub fn get(&self, fd: i32) -> Result<FileRef> {
        self.slot(fd).map(|slot| Rc::clone(&slot.file))
    }

    /// Installs a description at the lowest free number, close-on-exec if `flags` has
    /// `O_CLOEXEC`.
    ///
    /// # Errors
    /// `EMFILE` when the limit is reached.
    pub fn insert(&mut self, file: FileRef, flags: u32) -> Result<i32> {
        self.insert_from(file, 0, flags & o::CLOEXEC != 0)
    }

    /// Installs two descriptions at once (`pipe2`, `socketpair`), or none.
    ///
    /// # Errors
    /// `EMFILE` when the limit is reached.
    pub fn insert_pair(&mut self, files: (FileRef, FileRef), flags: u32) -> Result<(i32, i32)> {
        let first = self.insert(files.0, flags)?;
        match self.insert(files.1, flags) {
            Ok(second) => Ok((first, second)),
            Err(e) => {
                self.slots[first as usize] = None;
                Err(e)
            }
        }
    }

    fn insert_from(&mut self, file: FileRef, min: usize, cloexec: bool) -> Result<i32> {
        let free = (min..self.slots.len()).find(|&i| self.slots[i].is_none());
        let index = free.unwrap_or(self.slots.len().max(min));
        if index >= self.limit {
            return Err(Errno::EMFILE);
        }
        self.put(index, file, cloexec);
        Ok(index as i32)
    }

    fn put(&mut self, index: usize, file: FileRef, cloexec: bool) -> Option<FileRef> {
        if index >= self.slots.len() {
            self.slots.resize(index + 1, None);
        }
        let old = self.slots[index].replace(Slot { file, cloexec });
        old.map(|old| self.closed(old))
    }

    /// Duplicates `fd` to the lowest free number not below `min` (`dup` with 0, `F_DUPFD`).
    ///
    /// # Errors
    /// `EBADF`; `EINVAL` for `min` beyond the limit; `EMFILE`.
    pub fn dup(&mut self, fd: i32, min: i32, cloexec: bool) -> Result<i32> {
        let file = self.get(fd)?;
        let min = usize::try_from(min).map_err(|_| Errno::EINVAL)?;
        if min >= self.limit {
            return Err(if min == 0 { Errno::EMFILE } else { Errno::EINVAL });
        }
        self.insert_from(file, min, cloexec)
    }

    /// `dup3`: makes `new` refer to the description of `old`; the former description of `new` is returned,
    /// to be dropped. `dup2` of equal numbers is left to the caller: it only checks `get(old)`.
    ///
    /// # Errors
    /// `EINVAL` for equal numbers or an unknown flag; `EBADF`.
    pub fn dup3(&mut self, old: i32, new: i32, flags: u32) -> Result<Option<FileRef>> {
        if old == new || flags & !o::CLOEXEC != 0 {
            return Err(Errno::EINVAL);
        }
        let file = self.get(old)?;
        let index = usize::try_from(new).map_err(|_| Errno::EBADF)?;
        if index >= self.limit {
            return Err(Errno::EBADF);
        }
        Ok(self.put(index, file, flags & o::CLOEXEC != 0))
    }

    /// Closes `fd`; the description is returned, to be dropped.
    ///
    /// # Errors
    /// `EBADF` when `fd` is not open.
    pub fn close(&mut self, fd: i32) -> Result<FileRef> {
        let index = usize::try_from(fd).map_err(|_| Errno::EBADF)?;
        let slot = self.slots.get_mut(index).and_then(Option::take);
        slot.map(|slot| self.closed(slot)).ok_or(Errno::EBADF)
    }

    /// `close_range`: closes, or with `cloexec` only marks, every descriptor in `first..=last`.
    pub fn close_range(&mut self, first: u32, last: u32, cloexec: bool) {
        let last = (last as usize).saturating_add(1).min(self.slots.len());
        for index in first as usize..last {
            match &mut self.slots[index] {
                Some(open) if cloexec => open.cloexec = true,
                slot => drop(slot.take().map(|old| self.closed(old))),
            }
        }
    }

    /// Closes the descriptors marked close-on-exec.
    pub fn close_on_exec(&mut self) {
        for index in 0..self.slots.len() {
            if let Some(old) = self.slots[index].take_if(|slot| slot.cloexec) {
                self.closed(old);
            }
        }
    }

    /// Whether `fd` is marked close-on-exec (`F_GETFD`).
    ///
    /// # Errors
    /// `EBADF` when `fd` is not open.
    pub fn cloexec(&self, fd: i32) -> Result<bool> {
        self.slot(fd).map(|slot| slot.cloexec)
    }

    /// Marks or unmarks `fd` close-on-exec (`F_SETFD`, `FIOCLEX`, `FIONCLEX`).
    ///
    /// # Errors
    /// `EBADF` when `fd` is not open.
    pub fn set_cloexec(&mut self, fd: i32, cloexec: bool) -> Result<()> {
        let index = usize::try_from(fd).map_err(|_| Errno::EBADF)?;
        let slot = self.slots.get_mut(index).and_then(Option::as_mut).ok_or(Errno::EBADF)?;
        slot.cloexec = cloexec;
        Ok(())
    }

    /// How many descriptors Linux's table has room for: a power of two from 64 on, which grows and never shrinks
    /// (`expand_fdtable`).
    #[must_use]
    pub fn size(&self) -> usize {
        self.slots.len().next_power_of_two().max(64)
    }

    /// The open descriptors' numbers, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = i32> + '_ {
        (0..).zip(&self.slots).filter(|(_, slot)| slot.is_some()).map(|(fd, _)| fd)
    }
}
