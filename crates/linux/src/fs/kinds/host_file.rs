//! Open regular files of the host.

use std::cell::Cell;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::rc::Rc;

use rustix::fs::{self, SeekFrom};
use rustix::io;

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{ioctl, o, seek};
use crate::fs::host::{self, FdDir};
use crate::fs::inode::{InodeRef, SyncedRange};
use crate::fs::mount::Mount;
use crate::fs::object::{FileObject, IoctlArg, Mappable, Positioned, Recorded};
use crate::fs::path::located::Dir;
use crate::fs::shared_state::{Shared, StoredByte};
use crate::fs::stat::{Stat, StatFs};
use crate::fs::vfs::Vfs;
use crate::fs::watch::{EventSource, Name, Opened};

/// The greatest position in a file: ext4's with blocks of 4 KiB, so that it is the same on every host.
const MAX_POSITION: u64 = (1 << 44) - 4096;

/// An open regular file. The position is the host description's own.
pub(crate) struct HostFile {
    fd: Rc<OwnedFd>,
    label: Vec<u8>,
    dev: u64,
    statfs: StatFs,
    mnt_id: u64,
    /// Its contents are charged to the guest's memory.
    private: bool,
    /// The guest cannot change it.
    unchanging: bool,
    append: Cell<bool>,
    inode: InodeRef,
    /// The name under which it was found.
    name: Option<Rc<Name>>,
    _opened: Opened,
    shared: Rc<Shared>,
    host_fds: Rc<FdDir>,
    charge: Charge,
}

/// Descriptors of the host with this number or a higher one do not stay open for mappings. The usual limit is 1024.
const MAX_IMAGE_FD: i32 = 512;

/// Bytes charged for an open file in addition to its path: itself, and the host's descriptor.
const FILE: u64 = 512;

impl HostFile {
    /// The open file `fd`, found on `mount` at the guest path `label`.
    pub fn new(
        vfs: &Vfs,
        fd: OwnedFd,
        mount: &Mount,
        label: Vec<u8>,
        flags: u32,
    ) -> Result<HostFile> {
        let charge = vfs.shared.charge(FILE + label.len() as u64)?;
        let inode = vfs.inodes.record(&host::stat(&fd)?)?;
        let file = HostFile {
            _opened: Opened::new(&inode.watched),
            inode: InodeRef(inode),
            name: None,
            fd: Rc::new(fd),
            label,
            dev: mount.dev(),
            statfs: mount.statfs(),
            mnt_id: mount.id,
            private: mount.is_private(),
            unchanging: mount.unchanging,
            append: Cell::new(false),
            shared: Rc::clone(&vfs.shared),
            host_fds: Rc::clone(&vfs.host_fds),
            charge,
        };
        file.flags_changed(flags)?;
        Ok(file)
    }

    /// Records the directory, and the name in it if any, under which the file was found.
    pub fn with_name(mut self, dir: &Dir, name: Option<&[u8]>) -> HostFile {
        let known = dir.inode().zip(name);
        self.name = known.map(|(dir, name)| self.inode.0.watched.opened_as(&dir.watched, name));
        self
    }

    /// An unnamed file that lies on no mount.
    pub fn anonymous(vfs: &Vfs, fd: OwnedFd, label: Vec<u8>) -> Result<HostFile> {
        /// `TMPFS_MAGIC` of `include/uapi/linux/magic.h`.
        const TMPFS_MAGIC: u64 = 0x0102_1994;
        let inode = InodeRef(vfs.inodes.record(&host::stat(&fd)?)?);
        let charge = vfs.shared.charge(FILE + label.len() as u64)?;
        let file = HostFile {
            _opened: Opened::new(&inode.0.watched),
            name: None,
            fd: Rc::new(fd),
            label,
            dev: 0,
            statfs: StatFs { magic: TMPFS_MAGIC, fsid: 0, read_only: false },
            mnt_id: 0,
            private: true,
            unchanging: false,
            append: Cell::new(false),
            inode,
            shared: Rc::clone(&vfs.shared),
            host_fds: Rc::clone(&vfs.host_fds),
            charge,
        };
        file.created()?;
        Ok(file)
    }

    /// Records that the guest made the file just now.
    pub fn created(&self) -> Result<()> {
        self.inode.0.created(&host::stat(&self.fd)?, self.shared.platform().now());
        if self.private { self.inode.0.charge_contents(0) } else { Ok(()) }
    }

    /// Charges memory for a write of `len` bytes at `offset`, or at the position.
    fn charge_growth(&self, len: usize, offset: Option<u64>) -> Result<()> {
        if !self.private || len == 0 {
            return Ok(());
        }
        let at = self.target(offset)?;
        self.inode.0.grow(at.saturating_add(len as u64))
    }

    /// The offset of a write.
    fn target(&self, offset: Option<u64>) -> Result<u64> {
        match offset {
            _ if self.append.get() => self.size(),
            Some(at) => Ok(at),
            None => Ok(fs::tell(&self.fd)?),
        }
    }

    /// Bytes at this position are about to be read or written.
    fn note_transfer(&self, position: impl FnOnce() -> Result<u64>) {
        self.shared.transfers.note(|| {
            let stat = host::stat(&self.fd).ok()?;
            Some(StoredByte { position: position().ok()?, ..StoredByte::first(&stat) })
        });
    }

    /// See `Inode::sync_mapped`.
    fn sync_mapped(&self, at: impl FnOnce() -> Result<u64>, len: usize) -> Result<SyncedRange> {
        self.shared.transfers.quietly(|| self.inode.0.sync_mapped(at, len))
    }

    /// These bytes of the range have been written.
    fn written(&self, synced: SyncedRange, bytes: usize) -> Result<usize> {
        self.touched(self.shared.transfers.quietly(|| synced.written(bytes))?)
    }

    fn touched(&self, written: usize) -> Result<usize> {
        if written > 0 {
            self.inode.0.modified(&host::stat(&self.fd)?, self.shared.platform().now());
        }
        Ok(written)
    }

    fn size(&self) -> Result<u64> {
        Ok(host::stat(&self.fd)?.st_size.max(0) as u64)
    }

    /// `SEEK_DATA` and `SEEK_HOLE`, as if the file had no holes: which holes exist depends on the
    /// host's file system.
    fn seek_data(&self, offset: i64, whence: u32) -> Result<u64> {
        let size = self.size()?;
        let offset = u64::try_from(offset).ok().filter(|&at| at < size).ok_or(Errno::ENXIO)?;
        let target = if whence == seek::DATA { offset } else { size };
        Ok(fs::seek(&self.fd, SeekFrom::Start(target))?)
    }
}

impl FileObject for HostFile {
    fn stat(&self) -> Result<Stat> {
        Ok(self.inode.0.stat(&host::stat(&self.fd)?, self.dev, self.mnt_id))
    }

    fn label(&self) -> Vec<u8> {
        let gone = host::stat(&self.fd).is_ok_and(|stat| stat.st_nlink == 0);
        let suffix: &[u8] =
            if gone && !self.label.ends_with(b" (deleted)") { b" (deleted)" } else { b"" };
        [&self.label, suffix].concat()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        self.sync_mapped(|| Ok(fs::tell(&self.fd)?), buf.len())?;
        self.note_transfer(|| Ok(fs::tell(&self.fd)?));
        Ok(io::read(&self.fd, buf)?)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        self.charge_growth(data.len(), None)?;
        let synced = self.sync_mapped(|| self.target(None), data.len())?;
        self.note_transfer(|| self.target(None));
        self.written(synced, io::write(&self.fd, data)?)
    }

    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        if command != ioctl::FIONREAD {
            return Err(Errno::ENOTTY);
        }
        let left = self.size()?.saturating_sub(fs::tell(&self.fd)?);
        arg.write(&(left.min(i32::MAX as u64) as i32).to_le_bytes())?;
        Ok(0)
    }

    fn statfs(&self) -> StatFs {
        self.statfs
    }

    fn flags_changed(&self, flags: u32) -> Result<()> {
        self.append.set(flags & o::APPEND != 0);
        let append = if flags & o::APPEND != 0 { fs::OFlags::APPEND } else { fs::OFlags::empty() };
        Ok(fs::fcntl_setfl(&self.fd, append)?)
    }

    fn reopen(&self, flags: u32) -> Result<Box<dyn FileObject>> {
        if flags & o::DIRECTORY != 0 {
            return Err(Errno::ENOTDIR);
        }
        if self.statfs.read_only && (flags & o::ACCMODE != o::RDONLY || flags & o::TRUNC != 0) {
            return Err(Errno::EROFS);
        }
        let copy = HostFile {
            fd: Rc::new(self.host_fds.reopen(self.fd.as_fd(), flags)?),
            label: self.label.clone(),
            append: Cell::new(false),
            inode: InodeRef(Rc::clone(&self.inode.0)),
            name: self.name.clone(),
            _opened: Opened::new(&self.inode.0.watched),
            shared: Rc::clone(&self.shared),
            host_fds: Rc::clone(&self.host_fds),
            charge: self.charge.another(self.charge.bytes())?,
            ..*self
        };
        copy.flags_changed(flags)?;
        if flags & o::TRUNC != 0 {
            copy.inode.0.truncated(0)?;
        }
        Ok(Box::new(copy))
    }

    fn positioned(&self) -> &dyn Positioned {
        self
    }

    fn recorded(&self) -> &dyn Recorded {
        self
    }

    fn mappable(&self) -> &dyn Mappable {
        self
    }
}

impl Positioned for HostFile {
    fn pread(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        self.sync_mapped(|| Ok(offset), buf.len())?;
        self.note_transfer(|| Ok(offset));
        Ok(io::pread(&self.fd, buf, offset)?)
    }

    fn pwrite(&self, data: &[u8], offset: u64) -> Result<usize> {
        self.charge_growth(data.len(), Some(offset))?;
        let synced = self.sync_mapped(|| self.target(Some(offset)), data.len())?;
        self.note_transfer(|| self.target(Some(offset)));
        self.written(synced, io::pwrite(&self.fd, data, offset)?)
    }

    fn seek(&self, offset: i64, whence: u32) -> Result<u64> {
        let base = match whence {
            seek::SET => 0,
            seek::CUR => fs::tell(&self.fd)?,
            seek::END => self.size()?,
            _ => return self.seek_data(offset, whence),
        };
        let target = base.checked_add_signed(offset).filter(|to| *to <= MAX_POSITION);
        Ok(fs::seek(&self.fd, SeekFrom::Start(target.ok_or(Errno::EINVAL)?))?)
    }

    fn truncate(&self, size: u64) -> Result<()> {
        if self.private {
            self.inode.0.charge_contents(size)?;
        }
        // In the page in which the file will end, the changes before that end are kept.
        self.inode.0.sync_mapped(|| Ok(size.saturating_sub(1)), 1)?;
        fs::ftruncate(&self.fd, size)?;
        self.inode.0.truncated(size)?;
        // Whatever followed the new end is gone.
        self.note_transfer(|| Ok(size));
        self.touched(1).map(drop)
    }

    fn allocate(&self, size: u64) -> Result<()> {
        if size > self.size()? {
            self.truncate(size)?;
        }
        Ok(())
    }

    fn sync(&self) -> Result<()> {
        self.inode.0.sync_mapped(|| Ok(0), usize::MAX)?;
        Ok(fs::fsync(&self.fd)?)
    }
}

impl Recorded for HostFile {
    fn inode(&self) -> Option<&InodeRef> {
        Some(&self.inode)
    }

    fn note_unlocked(&self) {
        self.shared.note_activity();
    }

    fn event_source(&self) -> Option<EventSource> {
        let watching = self.shared.watches() > 0;
        watching.then(|| EventSource::file(&self.inode.0.watched, self.name.as_ref()))
    }
}

impl Mappable for HostFile {
    fn host_fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.fd.as_fd())
    }

    fn image(&self) -> Option<Rc<OwnedFd>> {
        if !self.unchanging {
            return None;
        }
        // All mappings of a file share one descriptor. The host limits their number, so no more are kept open once there are many.
        let known = self.inode.0.image.borrow().upgrade();
        let image = known.or_else(|| {
            let own = self.fd.as_raw_fd() < MAX_IMAGE_FD;
            own.then(|| Rc::clone(&self.fd))
        })?;
        self.inode.0.image.replace(Rc::downgrade(&image));
        Some(image)
    }

    fn mapped_inode(&self) -> Option<InodeRef> {
        Some(InodeRef(Rc::clone(&self.inode.0)))
    }
}
