//! Open virtual files, whose contents are generated when they are opened.

mod content;

use std::cell::Cell;
use std::rc::Rc;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{o, s, seek};
use crate::fs::locks::FileLocks;
use crate::fs::object::{FileObject, Positioned, Recorded};
use crate::fs::path::located::{Dir, Node};
use crate::fs::shared_state::Shared;
use crate::fs::stat::{Stat, StatFs};
use crate::fs::virtual_access::stat::{base_stat, number, stat};

/// The contents of a virtual file when it was opened, charged to the guest's memory.
struct Content {
    bytes: Vec<u8>,
    _charge: Charge,
}

/// An open virtual file.
pub(crate) struct VirtFile {
    content: Rc<Content>,
    position: Cell<u64>,
    place: Dir,
    locks: Rc<FileLocks>,
    shared: Rc<Shared>,
}

impl VirtFile {
    /// The file at `place` with these contents.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new(mut bytes: Vec<u8>, place: Dir, shared: Rc<Shared>) -> Result<VirtFile> {
        bytes.shrink_to_fit();
        let _charge = shared.charge(bytes.len() as u64)?;
        let content = Rc::new(Content { bytes, _charge });
        let locks = shared.virtual_locks(number(&place))?;
        Ok(VirtFile { content, position: Cell::new(0), place, locks, shared })
    }
}

impl FileObject for VirtFile {
    fn stat(&self) -> Result<Stat> {
        Ok(match &self.place.node {
            Node::Virtual(node) => stat(*node, &self.place, &self.shared),
            _ => base_stat(s::IFREG | 0o444, 0, &self.place, &self.shared),
        })
    }

    fn label(&self) -> Vec<u8> {
        self.place.path().to_vec()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        let n = self.pread(buf, self.position.get())?;
        self.position.set(self.position.get() + n as u64);
        Ok(n)
    }

    fn statfs(&self) -> StatFs {
        self.place.mount.statfs()
    }

    fn reopen(&self, flags: u32) -> Result<Box<dyn FileObject>> {
        if flags & o::ACCMODE != o::RDONLY {
            return Err(Errno::EACCES);
        }
        let (content, place) = (Rc::clone(&self.content), Rc::clone(&self.place));
        let (locks, shared) = (Rc::clone(&self.locks), Rc::clone(&self.shared));
        Ok(Box::new(VirtFile { content, position: Cell::new(0), place, locks, shared }))
    }

    fn recorded(&self) -> &dyn Recorded {
        self
    }

    fn positioned(&self) -> &dyn Positioned {
        self
    }
}

impl Recorded for VirtFile {
    fn own_locks(&self) -> Option<&Rc<FileLocks>> {
        Some(&self.locks)
    }

    fn note_unlocked(&self) {
        self.shared.note_activity();
    }
}

impl Positioned for VirtFile {
    fn pread(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        let content = &self.content.bytes;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(content.len());
        let n = buf.len().min(content.len() - start);
        buf[..n].copy_from_slice(&content[start..start + n]);
        Ok(n)
    }

    fn seek(&self, offset: i64, whence: u32) -> Result<u64> {
        let base = match whence {
            seek::SET => 0,
            seek::CUR => self.position.get() as i64,
            _ => return Err(Errno::EINVAL),
        };
        let target = base.checked_add(offset).filter(|&t| t >= 0).ok_or(Errno::EINVAL)? as u64;
        self.position.set(target);
        Ok(target)
    }
}
