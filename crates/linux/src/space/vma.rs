//! The areas of an address space.

use super::shared_object::SharedObject;
use crate::base::charge::Charge;
use crate::fs::OpenFile;
use capvec_sim::mem::Perm;
use std::rc::{Rc, Weak};

/// The file of a mapping, for `/proc/PID/maps`.
#[derive(Debug)]
pub struct FileId {
    /// Guest path, or a name in brackets.
    pub path: Vec<u8>,
    /// Device number.
    pub dev: u64,
    /// Inode number.
    pub ino: u64,
    /// For the path, if the guest can create any number of such paths.
    pub _charge: Option<Charge>,
}

impl PartialEq for FileId {
    fn eq(&self, other: &FileId) -> bool {
        (&self.path, self.dev, self.ino) == (&other.path, other.dev, other.ino)
    }
}

/// Where the pages of an area come from.
#[derive(Clone, Debug)]
pub enum Backing {
    /// Private, zero at first.
    Anon,
    /// Private copy of a file's contents. It does not keep the file open.
    File(Weak<OpenFile>),
    /// Shared with other areas of this and other processes; the offset in the object.
    Shared(Rc<SharedObject>),
}

/// One area: pages with the same attributes. Its start is its key in the map.
#[derive(Clone, Debug)]
pub struct Vma {
    /// The first address after the area.
    pub end: u64,
    /// Permissions of the guest.
    pub perm: Perm,
    /// The pages' origin.
    pub backing: Backing,
    /// The file or other name to show.
    pub id: Option<Rc<FileId>>,
    /// Offset in the file or shared object at the area's start.
    pub offset: u64,
    /// Grows downwards when touched below (the stack).
    pub grows: bool,
    /// Its pages are charged to the memory account; a shared object charges its own.
    pub charged: bool,
    /// A shared mapping of a file opened read-only: it never becomes writable.
    pub read_only: bool,
}

impl Vma {
    /// An anonymous private area up to `end`.
    pub fn anon(end: u64, perm: Perm) -> Vma {
        let charged = perm != Perm::NONE;
        let (backing, id, read_only) = (Backing::Anon, None, false);
        Vma { end, perm, backing, id, offset: 0, grows: false, charged, read_only }
    }

    /// Bytes charged for `len` bytes of it.
    pub fn cost(&self, len: u64) -> u64 {
        if self.charged { len } else { 0 }
    }

    /// Whether other processes see writes to it.
    pub fn shared(&self) -> bool {
        matches!(self.backing, Backing::Shared(_))
    }

    /// Whether it has never been accessible, so that it holds zeros. The host has no page tables for it, and its pages
    /// must not be touched.
    pub fn is_blank(&self) -> bool {
        !self.charged && matches!(self.backing, Backing::Anon)
    }

    /// The same area without its first `by` bytes.
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
