//! Memory shared by several mappings.
//!
//! A shared mapping of a file maps one copy of the file in memory, the same for all processes. The file itself is
//! never mapped: if it were truncated, an access would raise SIGBUS in the simulator. To keep file and copy
//! coherent, reads and writes of the file first write back the pages that have changed since they last equalled
//! the file; after a write, the copy is reloaded from the file. `msync` and the end of the last mapping write
//! back, too.

use super::Account;
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::{FileRef, MappedPages, OpenFile};
use capvec_sim::mem::{Object, PAGE, memory_file};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher};
use std::os::fd::BorrowedFd;
use std::rc::{Rc, Weak};

/// Bytes charged for the digest of a page.
const RECORD: u64 = 32;
/// Bytes charged for a range of pages that adjoins no other: the host keeps a file's pages in a tree with nodes of
/// about 600 bytes, each for 64 pages or nodes, and an isolated page needs up to nine nodes of its own.
const SCATTERED: u64 = 9 * 600;
/// Pages after which a long loop checks whether the run must stop.
const STRIDE: usize = 256;

type Page = [u8; PAGE as usize];

/// The digest by which changed pages are recognised: 64 bits of SipHash.
fn digest(page: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(page);
    hasher.finish()
}

/// Pages in an unnamed file of the host, which several address spaces can map. They are charged here, once, and not
/// where they are mapped.
pub struct SharedObject {
    pages: Object,
    /// Bytes that can be mapped.
    len: Cell<u64>,
    /// The ranges of pages that exist, by start and end.
    filled: RefCell<BTreeMap<u64, u64>>,
    file: RefCell<Option<FileRef>>,
    /// Digests of the pages when they last equalled the file, by offset.
    synced: RefCell<BTreeMap<u64, u64>>,
    /// Set while this object itself reads or writes its file.
    in_transfer: Cell<bool>,
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
        // Nobody is left to report an error to; `msync` would have reported it. When the run must stop, a short
        // grace period remains.
        let stop_request = |account: &Account| match account.stop_request().grace_passed() {
            true => Err(Errno::EINTR),
            false => Ok(()),
        };
        let _ = self.write_back_while(0, u64::MAX, stop_request);
    }
}

impl SharedObject {
    fn new(account: &Rc<Account>, file: Option<FileRef>) -> Result<SharedObject> {
        Ok(SharedObject {
            pages: Object::new(memory_file("shared")?),
            len: Cell::new(0),
            filled: RefCell::default(),
            file: RefCell::new(file),
            synced: RefCell::default(),
            in_transfer: Cell::new(false),
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

    /// What address spaces map.
    pub fn pages(&self) -> &Object {
        &self.pages
    }

    /// Whether it is the contents of a file.
    pub fn has_file(&self) -> bool {
        self.file.borrow().is_some()
    }

    /// A number that no other object has.
    pub fn id(&self) -> u64 {
        self.pages.id()
    }

    /// The parts of a page-aligned range that do not exist yet.
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

    /// Makes a range of pages exist, with the file's contents. Pages that are not mapped cost nothing.
    ///
    /// # Errors
    /// `ENOMEM` beyond the guest's memory; those of the file.
    pub fn populate(&self, start: u64, len: u64) -> Result<()> {
        let end = start.checked_add(len).filter(|e| *e <= i64::MAX as u64).ok_or(Errno::ENOMEM)?;
        let record = if self.has_file() { RECORD } else { 0 };
        for (start, end) in self.gaps(start, end) {
            let scattered = if self.continues(start, end) { 0 } else { SCATTERED };
            let bytes = (end - start) / PAGE * (PAGE + record) + scattered;
            let charge = self.account.take(bytes)?;
            self.fill(start, end)?;
            self.charge.merge(charge);
            self.filled.borrow_mut().insert(start, end);
        }
        Ok(())
    }

    /// Whether the range adjoins pages that exist.
    fn continues(&self, start: u64, end: u64) -> bool {
        let filled = self.filled.borrow();
        filled.contains_key(&end)
            || filled.range(..start).next_back().is_some_and(|(_, e)| *e == start)
    }

    fn fill(&self, start: u64, end: u64) -> Result<()> {
        if end > self.len.get() {
            rustix::fs::ftruncate(self.pages.fd(), end)?;
            self.len.set(end);
        }
        let Some(file) = self.file.borrow().clone() else { return Ok(()) };
        let empty = digest(&[0; PAGE as usize]);
        let size = file.stat()?.size;
        for (n, at) in (start..end).step_by(PAGE as usize).enumerate() {
            if n % STRIDE == 0 {
                self.account.ensure_running()?;
            }
            match at < size {
                true => self.read_page(&file, at)?,
                false => drop(self.synced.borrow_mut().insert(at, empty)),
            }
        }
        Ok(())
    }

    /// Reads a page from the file; bytes beyond its end are zero.
    fn read_page(&self, file: &FileRef, at: u64) -> Result<()> {
        let mut page: Page = [0; PAGE as usize];
        let mut done = 0;
        self.in_transfer.set(true);
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
        self.in_transfer.set(false);
        read?;
        self.pages.written(at..at + PAGE);
        write_all(self.pages.fd(), &page, at)?;
        self.synced.borrow_mut().insert(at, digest(&page));
        Ok(())
    }

    /// Offsets of the file's pages in the range that exist here.
    fn pages_in(&self, at: u64, len: u64) -> Vec<u64> {
        let first = at & !(PAGE - 1);
        self.synced.borrow().range(first..at.saturating_add(len)).map(|(at, _)| *at).collect()
    }

    /// Writes the changed pages of the range back to the file, up to its end, until `ensure_running` fails.
    fn write_back_while(
        &self,
        at: u64,
        len: u64,
        ensure_running: impl Fn(&Account) -> Result<()>,
    ) -> Result<()> {
        let Some(file) = self.file.borrow().clone().filter(|f| f.writable()) else { return Ok(()) };
        let pages = self.pages_in(at, len);
        if pages.is_empty() || self.in_transfer.get() {
            return Ok(());
        }
        let size = file.stat()?.size;
        let mut page: Page = [0; PAGE as usize];
        for (n, &at) in pages.iter().enumerate() {
            if n % STRIDE == 0 {
                ensure_running(&self.account)?;
            }
            let got = rustix::io::pread(self.pages.fd(), &mut page, at)?;
            let now = digest(&page[..got]);
            if self.synced.borrow().get(&at) == Some(&now) {
                continue;
            }
            let kept = size.saturating_sub(at).min(PAGE) as usize;
            self.in_transfer.set(true);
            let put = write_to_file(&file, &page[..kept], at);
            self.in_transfer.set(false);
            put?;
            self.synced.borrow_mut().insert(at, now);
        }
        Ok(())
    }
}

impl MappedPages for SharedObject {
    /// Writes the changed pages of the range back to the file, up to its end.
    ///
    /// # Errors
    /// Those of the file; `EINTR` when the run must stop.
    fn write_back(&self, at: u64, len: u64) -> Result<()> {
        self.write_back_while(at, len, Account::ensure_running)
    }

    /// Reads the pages of the range again from the file, which was written.
    ///
    /// # Errors
    /// Those of the file; `EINTR` when the run must stop.
    fn reload(&self, at: u64, len: u64) -> Result<()> {
        let Some(file) = self.file.borrow().clone() else { return Ok(()) };
        if self.in_transfer.get() {
            return Ok(());
        }
        for (n, at) in self.pages_in(at, len).into_iter().enumerate() {
            if n % STRIDE == 0 {
                self.account.ensure_running()?;
            }
            self.read_page(&file, at)?;
        }
        Ok(())
    }
}

fn write_to_file(file: &FileRef, data: &[u8], at: u64) -> Result<()> {
    let mut done = 0;
    while done < data.len() {
        match file.object().positioned().pwrite(&data[done..], at + done as u64)? {
            0 => return Err(Errno::EIO),
            n => done += n,
        }
    }
    Ok(())
}

fn write_all(fd: BorrowedFd<'_>, data: &[u8], at: u64) -> Result<()> {
    let mut done = 0;
    while done < data.len() {
        match rustix::io::pwrite(fd, &data[done..], at + done as u64)? {
            0 => return Err(Errno::EIO),
            n => done += n,
        }
    }
    Ok(())
}

/// An open file description that only the object uses: the guest may set `O_APPEND` on the one that it has.
fn private_description(file: &FileRef) -> FileRef {
    let flags = if file.writable() { o::RDWR } else { o::RDONLY };
    match file.object().reopen(flags) {
        Ok(object) => OpenFile::new(object, flags),
        // The file can no longer be opened, for example after a change of its mode.
        Err(_) => Rc::clone(file),
    }
}

/// The shared objects of files: one for each file that is mapped.
#[derive(Default)]
pub struct SharedFiles(HashMap<FileKey, Weak<SharedObject>>);

/// The identity of a file.
#[derive(PartialEq, Eq, Hash)]
enum FileKey {
    /// The number of its host inode's record. Several mounts can show the inode.
    Recorded(u64),
    /// Device and inode number of a file without such a record.
    Other(u64, u64),
}

impl SharedFiles {
    /// The object of a file.
    ///
    /// # Errors
    /// Those of the file.
    pub fn get(&mut self, file: &FileRef, account: &Rc<Account>) -> Result<Rc<SharedObject>> {
        let inode = file.object().mappable().mapped_inode();
        let key = match &inode {
            Some(inode) => FileKey::Recorded(inode.0.ino()),
            None => file.stat().map(|stat| FileKey::Other(stat.dev, stat.ino))?,
        };
        if let Some(object) = self.0.get(&key).and_then(Weak::upgrade) {
            let reads_only = object.file.borrow().as_ref().is_some_and(|f| !f.writable());
            if inode.is_some() && reads_only && file.writable() {
                object.file.replace(Some(private_description(file)));
            }
            return Ok(object);
        }
        let object = Rc::new(SharedObject::new(account, Some(private_description(file)))?);
        if let Some(inode) = inode {
            let pages: Rc<dyn MappedPages> = Rc::<SharedObject>::clone(&object);
            inode.0.set_mapped_pages(Rc::downgrade(&pages));
        }
        if self.0.len() == self.0.capacity() {
            self.0.retain(|_, object| object.strong_count() > 0);
        }
        self.0.insert(key, Rc::downgrade(&object));
        Ok(object)
    }
}
