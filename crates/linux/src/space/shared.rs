//! Memory that several mappings share.
//!
//! A shared mapping of a file is a copy of the file in memory, the same for all who map the file, and is
//! written back at `msync` and when the last mapping goes away. The file itself is never mapped: if it
//! became shorter, the host would end us.

use super::Account;
use crate::errno::{Errno, Result};
use crate::fs::FileRef;
use capvec_sim::mem::PAGE;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::{Rc, Weak};

/// Pages in a host file without a name, so that address spaces can map them together. They count as memory
/// here, once, and not where they are mapped.
pub struct SharedObject {
    fd: OwnedFd,
    /// Bytes that can be mapped.
    len: Cell<u64>,
    /// What is filled with the file's contents: start and end of ranges of pages.
    filled: RefCell<BTreeMap<u64, u64>>,
    file: Option<FileRef>,
    account: Rc<Account>,
    charged: Cell<u64>,
}

impl std::fmt::Debug for SharedObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SharedObject({:#x} bytes of {:?})", self.len.get(), self.file)
    }
}

impl Drop for SharedObject {
    fn drop(&mut self) {
        // There is nobody left to tell of an error; `msync` would have told.
        let _ = self.write_back();
        self.account.release(self.charged.get());
    }
}

impl SharedObject {
    fn new(account: &Rc<Account>, file: Option<FileRef>) -> Result<SharedObject> {
        let fd = rustix::fs::memfd_create("shared", rustix::fs::MemfdFlags::CLOEXEC)?;
        let (account, charged, len) = (Rc::clone(account), Cell::new(0), Cell::new(0));
        Ok(SharedObject { fd, len, filled: RefCell::default(), file, account, charged })
    }

    /// Zeroed memory.
    ///
    /// # Errors
    /// The host's.
    pub fn anonymous(account: &Rc<Account>) -> Result<Rc<SharedObject>> {
        Ok(Rc::new(SharedObject::new(account, None)?))
    }

    /// The host file.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// A number that no other object has at the same time.
    pub fn id(&self) -> u64 {
        std::ptr::from_ref(self).addr() as u64
    }

    /// Parts of the range, whose ends are multiples of the page size, that are not filled yet.
    fn gaps(&self, start: u64, end: u64) -> Vec<(u64, u64)> {
        let filled = self.filled.borrow();
        let mut at = filled.range(..=start).next_back().map_or(start, |(_, e)| start.max(*e));
        let mut gaps = Vec::new();
        for (&s, &e) in filled.range(start..end) {
            if at < s {
                gaps.push((at, s));
            }
            at = at.max(e);
        }
        if at < end {
            gaps.push((at, end));
        }
        gaps
    }

    /// Makes a range of pages there, with the file's contents. What is not mapped costs nothing.
    ///
    /// # Errors
    /// `ENOMEM` beyond the guest's memory; those of the file.
    pub fn provide(&self, start: u64, len: u64) -> Result<()> {
        let end = start.checked_add(len).filter(|e| *e <= i64::MAX as u64).ok_or(Errno::ENOMEM)?;
        for (start, end) in self.gaps(start, end) {
            self.account.charge(end - start)?;
            if let Err(e) = self.fill(start, end) {
                self.account.release(end - start);
                return Err(e);
            }
            self.charged.set(self.charged.get() + (end - start));
            self.filled.borrow_mut().insert(start, end);
        }
        Ok(())
    }

    fn fill(&self, start: u64, end: u64) -> Result<()> {
        if end > self.len.get() {
            rustix::fs::ftruncate(&self.fd, end)?;
            self.len.set(end);
        }
        let Some(file) = &self.file else { return Ok(()) };
        let mut buf = vec![0; (end - start).min(1 << 20) as usize];
        let mut at = start;
        while at < end {
            let want = (end - at).min(buf.len() as u64) as usize;
            let n = file.object().pread(&mut buf[..want], at)?;
            if n == 0 {
                break;
            }
            write_all(&self.fd, &buf[..n], at)?;
            at += n as u64;
        }
        Ok(())
    }

    /// Writes the contents to the file, up to the file's end, where they differ.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write_back(&self) -> Result<()> {
        let Some(file) = self.file.as_ref().filter(|f| f.writable()) else { return Ok(()) };
        let size = file.stat()?.size;
        let (mut ours, mut theirs) = ([0; PAGE as usize], [0; PAGE as usize]);
        let filled = self.filled.borrow();
        for at in filled.iter().flat_map(|(s, e)| (*s..(*e).min(size)).step_by(PAGE as usize)) {
            let want = (size - at).min(PAGE) as usize;
            let n = rustix::io::pread(&self.fd, &mut ours[..want], at)?;
            let m = file.object().pread(&mut theirs[..n], at)?;
            if ours[..n] != theirs[..m] {
                file.object().pwrite(&ours[..n], at)?;
            }
        }
        Ok(())
    }
}

fn write_all(fd: &OwnedFd, data: &[u8], at: u64) -> Result<()> {
    let mut done = 0;
    while done < data.len() {
        match rustix::io::pwrite(fd, &data[done..], at + done as u64)? {
            0 => return Err(Errno::EIO),
            n => done += n,
        }
    }
    Ok(())
}

/// The shared objects of files, so that all who map a file share one.
#[derive(Default)]
pub struct SharedFiles {
    by_inode: HashMap<(u64, u64, bool), Weak<SharedObject>>,
}

impl SharedFiles {
    /// The object of a file. One that was first mapped by a reader is not written back, so a writer gets
    /// another.
    ///
    /// # Errors
    /// Those of the file.
    pub fn get(&mut self, file: &FileRef, account: &Rc<Account>) -> Result<Rc<SharedObject>> {
        let stat = file.stat()?;
        self.by_inode.retain(|_, object| object.strong_count() > 0);
        let writer = (stat.dev, stat.ino, true);
        let key = (stat.dev, stat.ino, file.writable());
        let known = self.by_inode.get(&writer).or_else(|| self.by_inode.get(&key));
        if let Some(object) = known.and_then(Weak::upgrade) {
            return Ok(object);
        }
        let object = Rc::new(SharedObject::new(account, Some(Rc::clone(file)))?);
        self.by_inode.insert(key, Rc::downgrade(&object));
        Ok(object)
    }
}
