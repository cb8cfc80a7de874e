//! Open directories: sorted listings with stable cookies.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustix::fs::{self, AtFlags, Mode, OFlags};

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::seek;
use crate::fs::caller::Caller;
use crate::fs::host;
use crate::fs::object::{Directory, FileObject, Positioned, Recorded};
use crate::fs::path::located::{Dir, Node};
use crate::fs::stat::{Stat, StatFs};
use crate::fs::vfs::Vfs;
use crate::fs::watch::{EventSource, Opened};

/// One directory entry.
#[derive(Clone, Debug)]
struct Entry {
    name: Vec<u8>,
    ino: u64,
    /// `DT_*`: the type bits of the mode, shifted by 12.
    kind: u8,
}

/// Bytes charged for an entry in addition to its name: itself, and the allocator's overhead.
const ENTRY: u64 = 64;

/// Bytes charged for entries.
fn cost(entries: &[Entry]) -> u64 {
    entries.iter().map(|e| ENTRY + e.name.len() as u64).sum()
}

/// A listing and the charge for it.
type Listing = (Rc<[Entry]>, Charge);

/// An open directory. The listing is taken at the first `getdents64` and after seeking to 0; the
/// position (the cookie of `telldir`) is an index into it, so that removing entries while reading
/// skips none.
pub(crate) struct DirFile {
    vfs: Vfs,
    place: Dir,
    /// Entries that do not come from a host directory: mounts, virtual objects.
    fixed: Vec<Entry>,
    _fixed_charge: Charge,
    listing: RefCell<Option<Listing>>,
    position: Cell<usize>,
    _opened: Option<Opened>,
}

impl DirFile {
    /// Opens the directory at `place`.
    pub fn open(vfs: &Vfs, c: &Caller<'_>, place: &Dir) -> Result<DirFile> {
        if let Some(fd) = place.host_fd() {
            open_host(fd)?;
        }
        let mut fixed = Vec::new();
        if let Node::Virtual(node) = &place.node {
            for (name, child) in node.list(c) {
                let path = place.join(&name);
                let child =
                    crate::fs::path::located::Place::child(place, path, Node::Virtual(child))?;
                fixed.push(entry(&vfs.stat_place(&child)?, name));
            }
        }
        for name in vfs.mounts.children(&mount_path(place)) {
            if let Some(child) = vfs.entry(c, place, &name)? {
                fixed.push(entry(&vfs.stat_place(&child)?, name));
            }
        }
        Ok(DirFile {
            vfs: vfs.clone(),
            place: Rc::clone(place),
            _fixed_charge: vfs.shared.charge(cost(&fixed))?,
            fixed,
            listing: RefCell::default(),
            position: Cell::new(0),
            _opened: place.inode().map(|inode| Opened::new(&inode.watched)),
        })
    }

    fn listing(&self) -> Result<Rc<[Entry]>> {
        if let Some((listing, _)) = &*self.listing.borrow() {
            return Ok(Rc::clone(listing));
        }
        let mut entries = self.host_entries()?;
        entries.retain(|e| !self.fixed.iter().any(|f| f.name == e.name));
        entries.extend(self.fixed.iter().cloned());
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        let dots = [(&b"."[..], &self.place), (&b".."[..], self.place.parent())];
        let mut all = Vec::with_capacity(entries.len() + dots.len());
        for (name, place) in dots {
            all.push(entry(&self.vfs.stat_place(place)?, name.to_vec()));
        }
        all.extend(entries);
        let listing: Rc<[Entry]> = all.into();
        let charge = self.vfs.shared.charge(cost(&listing))?;
        *self.listing.borrow_mut() = Some((Rc::clone(&listing), charge));
        Ok(listing)
    }

    /// The host directory's entries. Each is passed to `stat`, since only that gives the same inode numbers on every
    /// host file system; in sorted order, since numbers are assigned at first sight.
    fn host_entries(&self) -> Result<Vec<Entry>> {
        let Some(fd) = self.place.host_fd() else { return Ok(Vec::new()) };
        let dir = open_host(fd)?;
        let mut names = Vec::new();
        for item in fs::Dir::read_from(&dir)? {
            let name = item?.file_name().to_owned();
            if name.as_bytes() != b"." && name.as_bytes() != b".." {
                names.push(name);
            }
        }
        names.sort();
        let mount = &self.place.mount;
        let mut entries = Vec::with_capacity(names.len());
        for name in names {
            match fs::statat(&dir, &name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => {
                    let inode = self.vfs.inodes.record(&stat)?;
                    let stat = inode.stat(&stat, mount.dev(), mount.id);
                    entries.push(entry(&stat, name.into_bytes()));
                }
                // Another process of the host has removed it meanwhile.
                Err(rustix::io::Errno::NOENT) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(entries)
    }
}

fn entry(stat: &Stat, name: Vec<u8>) -> Entry {
    Entry { name, ino: stat.ino, kind: (stat.file_type() >> 12) as u8 }
}

fn open_host(fd: std::os::fd::BorrowedFd<'_>) -> Result<std::os::fd::OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(fs::openat(fd, c".", flags, Mode::empty())?)
}

/// The path of a directory as the mount table writes it: empty for the root.
fn mount_path(place: &Dir) -> Vec<u8> {
    match place.path() {
        b"/" => Vec::new(),
        path => path.to_vec(),
    }
}

/// Whether a directory of the host has been removed while it is held open.
pub(crate) fn is_removed(place: &Dir) -> Result<bool> {
    match place.host_fd() {
        Some(fd) => Ok(host::stat(fd)?.st_nlink == 0),
        None => Ok(false),
    }
}

impl FileObject for DirFile {
    fn stat(&self) -> Result<Stat> {
        self.vfs.stat_place(&self.place)
    }

    fn label(&self) -> Vec<u8> {
        self.place.path().to_vec()
    }

    fn read(&self, _buf: &mut [u8]) -> Result<usize> {
        Err(Errno::EISDIR)
    }

    fn statfs(&self) -> StatFs {
        self.place.mount.statfs()
    }

    fn positioned(&self) -> &dyn Positioned {
        self
    }

    fn recorded(&self) -> &dyn Recorded {
        self
    }

    fn directory(&self) -> &dyn Directory {
        self
    }
}

impl Positioned for DirFile {
    fn pread(&self, _buf: &mut [u8], _offset: u64) -> Result<usize> {
        Err(Errno::EISDIR)
    }

    fn seek(&self, offset: i64, whence: u32) -> Result<u64> {
        let base = match whence {
            seek::SET => 0,
            seek::CUR => self.position.get() as i64,
            _ => return Err(Errno::EINVAL),
        };
        let target = base.checked_add(offset).ok_or(Errno::EINVAL)?;
        let target = usize::try_from(target).map_err(|_| Errno::EINVAL)?;
        self.position.set(target);
        if target == 0 {
            *self.listing.borrow_mut() = None;
        }
        Ok(target as u64)
    }

    fn sync(&self) -> Result<()> {
        Ok(())
    }
}

impl Recorded for DirFile {
    fn note_unlocked(&self) {
        self.vfs.shared.note_activity();
    }

    fn event_source(&self) -> Option<EventSource> {
        self.vfs.event_source(&self.place)
    }
}

impl Directory for DirFile {
    fn getdents64(&self, buf: &mut [u8]) -> Result<usize> {
        /// Bytes of a `linux_dirent64` before the name.
        const HEADER: usize = 19;
        if is_removed(&self.place)? {
            return Err(Errno::ENOENT);
        }
        let listing = self.listing()?;
        let mut used = 0;
        for (index, entry) in listing.iter().enumerate().skip(self.position.get()) {
            let len = (HEADER + entry.name.len() + 1).next_multiple_of(8);
            let Some(record) = buf.get_mut(used..used + len) else {
                break;
            };
            record.fill(0);
            record[..8].copy_from_slice(&entry.ino.to_le_bytes());
            record[8..16].copy_from_slice(&(index as u64 + 1).to_le_bytes());
            record[16..18].copy_from_slice(&(len as u16).to_le_bytes());
            record[18] = entry.kind;
            record[HEADER..HEADER + entry.name.len()].copy_from_slice(&entry.name);
            used += len;
            self.position.set(index + 1);
        }
        if used == 0 && self.position.get() < listing.len() {
            return Err(Errno::EINVAL);
        }
        Ok(used)
    }
}
