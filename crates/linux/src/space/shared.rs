//! Memory that several mappings share.
//!
//! A shared mapping of a file is a copy of the file in memory, the same for all who map the file, and is
//! written back at `msync` and when the last mapping goes away. The file itself is never mapped: if it
//! became shorter, the host would end us.

use crate::errno::{Errno, Result};
use crate::fs::FileRef;
use capvec_sim::mem::{PAGE, SPACE};
use std::cell::Cell;
use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::{Rc, Weak};

/// Pages in a host file without a name, so that address spaces can map them together.
pub struct SharedObject {
    fd: OwnedFd,
    len: Cell<u64>,
    file: Option<FileRef>,
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
    }
}

impl SharedObject {
    fn new(len: u64, file: Option<FileRef>) -> Result<SharedObject> {
        let fd = rustix::fs::memfd_create("shared", rustix::fs::MemfdFlags::CLOEXEC)?;
        let object = SharedObject { fd, len: Cell::new(0), file };
        object.grow(len)?;
        Ok(object)
    }

    /// Zeroed memory of `len` bytes, a multiple of the page size.
    ///
    /// # Errors
    /// `ENOMEM`, or the host's error.
    pub fn anonymous(len: u64) -> Result<Rc<SharedObject>> {
        Ok(Rc::new(SharedObject::new(len, None)?))
    }

    /// The host file.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// A number that no other object has at the same time.
    pub fn id(&self) -> u64 {
        std::ptr::from_ref(self).addr() as u64
    }

    /// Makes it at least `len` bytes long, with the file's contents.
    fn grow(&self, len: u64) -> Result<()> {
        let old = self.len.get();
        if len > SPACE {
            return Err(Errno::ENOMEM);
        }
        if len <= old {
            return Ok(());
        }
        rustix::fs::ftruncate(&self.fd, len)?;
        self.len.set(len);
        let Some(file) = &self.file else { return Ok(()) };
        let mut buf = vec![0; 1 << 20];
        let mut at = old;
        while at < len {
            let want = (len - at).min(buf.len() as u64) as usize;
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
        let size = file.stat()?.size.min(self.len.get());
        let (mut ours, mut theirs) = ([0; PAGE as usize], [0; PAGE as usize]);
        for at in (0..size).step_by(PAGE as usize) {
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
    /// The object of a file, at least `len` bytes long. One that was first mapped by a reader is not
    /// written back, so a writer gets another.
    ///
    /// # Errors
    /// Those of the file; `ENOMEM`.
    pub fn get(&mut self, file: &FileRef, len: u64) -> Result<Rc<SharedObject>> {
        let stat = file.stat()?;
        self.by_inode.retain(|_, object| object.strong_count() > 0);
        let writer = (stat.dev, stat.ino, true);
        let key = (stat.dev, stat.ino, file.writable());
        let known = self.by_inode.get(&writer).or_else(|| self.by_inode.get(&key));
        if let Some(object) = known.and_then(Weak::upgrade) {
            object.grow(len)?;
            return Ok(object);
        }
        let object = Rc::new(SharedObject::new(len, Some(Rc::clone(file)))?);
        self.by_inode.insert(key, Rc::downgrade(&object));
        Ok(object)
    }
}
