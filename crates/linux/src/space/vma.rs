//! The areas of an address space.

use super::shared_object::SharedObject;
use crate::base::charge::Charge;
use crate::fs::OpenFile;
use capvec_sim::mem::Perm;
use std::rc::{Rc, Weak};

/// What a mapping shows of which file, for `/proc/PID/maps`.
#[derive(Debug)]
pub struct FileId {
    /// Guest path, or a name in brackets.
    pub path: Vec<u8>,
    /// Device number.
    pub dev: u64,
    /// Inode number.
    pub ino: u64,
    /// For the path, if the guest can make as many as it likes.
    pub _charge: Option<Charge>,
}

impl PartialEq for FileId {
    fn eq(&self, other: &FileId) -> bool {
        (&self.path, self.dev, self.ino) == (&other.path, other.dev, other.ino)
    }
}

/// What the pages of an area are.
#[derive(Clone, Debug)]
pub enum Backing {
    /// Private, zero at first.
    Anon,
    /// Private copy of a file's contents. The file is not kept open for it.
    File(Weak<OpenFile>),
    /// Shared with other areas of this and other processes; the offset in the object.
    Shared(Rc<SharedObject>),
}

/// One area: pages with the same attributes. Its start is its key in the map.
#[derive(Clone, Debug)]
pub struct Vma {
    /// First address beyond.
    pub end: u64,
    /// Permissions of the guest.
    pub perm: Perm,
    /// Where the pages come from.
    pub backing: Backing,
    /// The file or other name to show.
    pub id: Option<Rc<FileId>>,
    /// Offset in the file or shared object at the area's start.
    pub offset: u64,
    /// Grows downwards when touched below (the stack).
    pub grows: bool,
    /// Counted in the memory account; what is shared is counted by its object.
    pub charged: bool,
    /// Shared with a file that was opened for reading only: it never becomes writable.
    pub read_only: bool,
}

impl Vma {
    /// An anonymous private area up to `end`.
    pub fn anon(end: u64, perm: Perm) -> Vma {
        let charged = perm != Perm::NONE;
        let (backing, id, read_only) = (Backing::Anon, None, false);
        Vma { end, perm, backing, id, offset: 0, grows: false, charged, read_only }
    }

    /// What `len` bytes of it count.
    pub fn cost(&self, len: u64) -> u64 {
        if self.charged { len } else { 0 }
    }

    /// Whether other processes see writes to it.
    pub fn shared(&self) -> bool {
        matches!(self.backing, Backing::Shared(_))
    }

    /// Whether nobody ever could write to it, so that it holds zeros. On the host its pages have never been touched,
    /// and are not to be: there are no page tables for them.
    pub fn is_blank(&self) -> bool {
        !self.charged && matches!(self.backing, Backing::Anon)
    }

    /// The same area from `by` bytes after its start on.
    pub fn advanced(&self, by: u64) -> Vma {
        let offset = if matches!(self.backing, Backing::Anon) { 0 } else { self.offset + by };
        Vma { offset, ..self.clone() }
    }

    /// Whether an area that starts at this one's end continues it.
    pub fn continues(&self, next: &Vma, len: u64) -> bool {
        let same_pages = match (&self.backing, &next.backing) {
            (Backing::Anon, Backing::Anon) => true,
            (Backing::File(_), Backing::File(_)) => self.offset + len == next.offset,
            (Backing::Shared(a), Backing::Shared(b)) => {
                Rc::ptr_eq(a, b) && self.offset + len == next.offset
            }
            _ => false,
        };
        same_pages
            && self.perm == next.perm
            && self.id == next.id
            && !self.grows
            && !next.grows
            && self.charged == next.charged
            && self.read_only == next.read_only
    }
}
