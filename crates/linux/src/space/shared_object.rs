//! Memory that several mappings share.
//!
//! A shared mapping of a file is a copy of the file in memory, the same for all who map the file. The file itself
//! is never mapped: if it became shorter, the host would end us. So that a file that is mapped and read or
//! written is one file, reads and writes settle with the copy first: pages that have changed since they were last
//! the file's go to the file, no others; and after a write, the copy takes what was written from the file. `msync`
//! and the end of the last mapping settle, too.

use super::Account;
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::{FileRef, MappedPages, OpenFile};
use capvec_sim::mem::PAGE;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::{Rc, Weak};

/// What the record of a file's page counts.
const RECORD: u64 = 32;
/// What a range of pages counts that lies apart from others: the host finds pages of a file by a tree with nodes of
/// about 600 bytes, each for 64 pages or nodes, and far from others a page has up to nine of its own.
const APART: u64 = 9 * 600;
/// Pages after which a long loop looks whether the run is over.
const STRIDE: usize = 256;

type Page = [u8; PAGE as usize];

/// By which pages are compared with what they were: 64 bits of SipHash.
fn digest(page: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(page);
    hasher.finish()
}

/// Pages in a host file without a name, so that address spaces can map them together. They count as memory
/// here, once, and not where they are mapped.
pub struct SharedObject {
    fd: OwnedFd,
    /// Bytes that can be mapped.
    len: Cell<u64>,
    /// What is filled with the file's contents: start and end of ranges of pages.
    filled: RefCell<BTreeMap<u64, u64>>,
    file: RefCell<Option<FileRef>>,
    /// Digests of the file's pages as they were last the same here and in the file, by their offset.
    settled: RefCell<BTreeMap<u64, u64>>,
    /// This object itself reads or writes its file.
    busy: Cell<bool>,
    account: Rc<Account>,
    charge: Charge,
}

impl std::fmt::Debug for SharedObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SharedObject({:#x} bytes of {:?})", self.len.get(), self.file.borrow())
    }
}

impl Drop for SharedObject {
    fn drop(&mut self) {
        // There is nobody left to tell of an error; `msync` would have told. When the run is over, there is a
        // little time left for it.
        let patience = |account: &Account| match account.patience().is_exhausted() {
            true => Err(Errno::EINTR),
            false => Ok(()),
        };
        let _ = self.settle_while(0, u64::MAX, patience);
    }
}

impl SharedObject {
    fn new(account: &Rc<Account>, file: Option<FileRef>) -> Result<SharedObject> {
        let fd = rustix::fs::memfd_create("shared", rustix::fs::MemfdFlags::CLOEXEC)?;
        Ok(SharedObject {
            fd,
            len: Cell::new(0),
            filled: RefCell::default(),
            file: RefCell::new(file),
            settled: RefCell::default(),
            busy: Cell::new(false),
            account: Rc::clone(account),
            charge: account.take(0)?,
        })
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
        let record = if self.file.borrow().is_some() { RECORD } else { 0 };
        for (start, end) in self.gaps(start, end) {
            let apart = if self.continues(start, end) { 0 } else { APART };
            let bytes = (end - start) / PAGE * (PAGE + record) + apart;
            let charge = self.account.take(bytes)?;
            self.fill(start, end)?;
            self.charge.merge(charge);
            self.filled.borrow_mut().insert(start, end);
        }
        Ok(())
    }

    /// Whether pages before or behind the range are there.
    fn continues(&self, start: u64, end: u64) -> bool {
        let filled = self.filled.borrow();
        filled.contains_key(&end)
            || filled.range(..start).next_back().is_some_and(|(_, e)| *e == start)
    }

    fn fill(&self, start: u64, end: u64) -> Result<()> {
        if end > self.len.get() {
            rustix::fs::ftruncate(&self.fd, end)?;
            self.len.set(end);
        }
        let Some(file) = self.file.borrow().clone() else { return Ok(()) };
        let empty = digest(&[0; PAGE as usize]);
        let size = file.stat()?.size;
        for (n, at) in (start..end).step_by(PAGE as usize).enumerate() {
            if n % STRIDE == 0 {
                self.account.go_on()?;
            }
            match at < size {
                true => self.take_page(&file, at)?,
                false => drop(self.settled.borrow_mut().insert(at, empty)),
            }
        }
        Ok(())
    }

    /// Takes a page from the file; what is behind its end is zero.
    fn take_page(&self, file: &FileRef, at: u64) -> Result<()> {
        let mut page: Page = [0; PAGE as usize];
        let mut done = 0;
        self.busy.set(true);
        let read = loop {
            match file.object().positioned().pread(&mut page[done..], at + done as u64) {
                Ok(0) => break Ok(()),
                Ok(n) => done += n,
                Err(e) => break Err(e),
            }
            if done == page.len() {
                break Ok(());
            }
        };
        self.busy.set(false);
        read?;
        write_all(&self.fd, &page, at)?;
        self.settled.borrow_mut().insert(at, digest(&page));
        Ok(())
    }

    /// Offsets of the file's pages that are here and in the range.
    fn pages_in(&self, at: u64, len: u64) -> Vec<u64> {
        let first = at & !(PAGE - 1);
        self.settled.borrow().range(first..at.saturating_add(len)).map(|(at, _)| *at).collect()
    }

    /// Brings the pages of the range that have been changed here into the file, up to its end, as long as
    /// `go_on` says so.
    fn settle_while(
        &self,
        at: u64,
        len: u64,
        go_on: impl Fn(&Account) -> Result<()>,
    ) -> Result<()> {
        let Some(file) = self.file.borrow().clone().filter(|f| f.writable()) else { return Ok(()) };
        let pages = self.pages_in(at, len);
        if pages.is_empty() || self.busy.get() {
            return Ok(());
        }
        let size = file.stat()?.size;
        let mut page: Page = [0; PAGE as usize];
        for (n, &at) in pages.iter().enumerate() {
            if n % STRIDE == 0 {
                go_on(&self.account)?;
            }
            let got = rustix::io::pread(&self.fd, &mut page, at)?;
            let now = digest(&page[..got]);
            if self.settled.borrow().get(&at) == Some(&now) {
                continue;
            }
            let kept = size.saturating_sub(at).min(PAGE) as usize;
            self.busy.set(true);
            let put = put_all(&file, &page[..kept], at);
            self.busy.set(false);
            put?;
            self.settled.borrow_mut().insert(at, now);
        }
        Ok(())
    }
}

impl MappedPages for SharedObject {
    /// Brings what has been changed here in the range into the file, up to its end.
    ///
    /// # Errors
    /// Those of the file; `EINTR` when the run is over.
    fn settle(&self, at: u64, len: u64) -> Result<()> {
        self.settle_while(at, len, Account::go_on)
    }

    /// Takes the pages of the range from the file, which was written.
    ///
    /// # Errors
    /// Those of the file; `EINTR` when the run is over.
    fn renew(&self, at: u64, len: u64) -> Result<()> {
        let Some(file) = self.file.borrow().clone() else { return Ok(()) };
        if self.busy.get() {
            return Ok(());
        }
        for (n, at) in self.pages_in(at, len).into_iter().enumerate() {
            if n % STRIDE == 0 {
                self.account.go_on()?;
            }
            self.take_page(&file, at)?;
        }
        Ok(())
    }
}

fn put_all(file: &FileRef, data: &[u8], at: u64) -> Result<()> {
    let mut done = 0;
    while done < data.len() {
        match file.object().positioned().pwrite(&data[done..], at + done as u64)? {
            0 => return Err(Errno::EIO),
            n => done += n,
        }
    }
    Ok(())
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

/// A description of the same file that is ours alone: one that the guest has may come to append.
fn own(file: &FileRef) -> FileRef {
    let flags = if file.writable() { o::RDWR } else { o::RDONLY };
    match file.object().reopen(flags) {
        Ok(object) => OpenFile::new(object, flags),
        // It can be opened by nobody any more, as after a change of its mode.
        Err(_) => Rc::clone(file),
    }
}

/// The shared objects of files, so that all who map a file share one.
#[derive(Default)]
pub struct SharedFiles {
    /// Those of files that are no files of the host, by device and inode number.
    by_inode: HashMap<(u64, u64), Weak<SharedObject>>,
}

impl SharedFiles {
    /// The object of a file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn get(&mut self, file: &FileRef, account: &Rc<Account>) -> Result<Rc<SharedObject>> {
        let new = || -> Result<Rc<SharedObject>> {
            Ok(Rc::new(SharedObject::new(account, Some(own(file)))?))
        };
        let Some(inode) = file.object().mappable().mapped_inode() else {
            let stat = file.stat()?;
            self.by_inode.retain(|_, object| object.strong_count() > 0);
            if let Some(object) = self.by_inode.get(&(stat.dev, stat.ino)).and_then(Weak::upgrade) {
                return Ok(object);
            }
            let object = new()?;
            self.by_inode.insert((stat.dev, stat.ino), Rc::downgrade(&object));
            return Ok(object);
        };
        let known = inode.0.mapped_pages().map(|pages| pages as Rc<dyn Any>);
        if let Some(object) = known.and_then(|pages| pages.downcast::<SharedObject>().ok()) {
            let reads_only = object.file.borrow().as_ref().is_some_and(|f| !f.writable());
            if reads_only && file.writable() {
                object.file.replace(Some(own(file)));
            }
            return Ok(object);
        }
        let object = new()?;
        let pages: Rc<dyn MappedPages> = Rc::<SharedObject>::clone(&object);
        inode.0.set_mapped_pages(Rc::downgrade(&pages));
        Ok(object)
    }
}
