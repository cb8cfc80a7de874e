//! Open devices.

use std::os::fd::OwnedFd;
use std::rc::Rc;

use rustix::fs::{CWD, Mode, OFlags};

use crate::base::errno::{Errno, Result};
use crate::fs::locks::FileLocks;
use crate::fs::object::{FileObject, Positioned, Recorded};
use crate::fs::path::located::{Dir, Node};
use crate::fs::shared_state::Shared;
use crate::fs::stat::{Stat, StatFs};
use crate::fs::virtual_access::stat::{number, stat};
use crate::fs::virtual_trees::entry::Device;

/// An open character device other than a terminal.
pub(crate) struct DeviceFile {
    device: Device,
    place: Dir,
    locks: Rc<FileLocks>,
    shared: Rc<Shared>,
}

impl DeviceFile {
    /// The device at `place`.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new(device: Device, place: Dir, shared: Rc<Shared>) -> Result<DeviceFile> {
        let locks = shared.virtual_locks(number(&place))?;
        Ok(DeviceFile { device, place, locks, shared })
    }
}

impl FileObject for DeviceFile {
    fn stat(&self) -> Result<Stat> {
        match &self.place.node {
            Node::Virtual(node) => Ok(stat(*node, &self.place, &self.shared)),
            _ => Err(Errno::EIO),
        }
    }

    fn label(&self) -> Vec<u8> {
        self.place.path().to_vec()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        match self.device {
            Device::Null => return Ok(0),
            Device::Random | Device::Urandom => self.shared.platform().fill_random(buf),
            Device::Zero | Device::Full => buf.fill(0),
            Device::Tty => return Err(Errno::EIO),
        }
        Ok(buf.len())
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        match self.device {
            Device::Full => Err(Errno::ENOSPC),
            Device::Tty => Err(Errno::EIO),
            _ => Ok(data.len()),
        }
    }

    fn statfs(&self) -> StatFs {
        self.place.mount.statfs()
    }

    fn reopen(&self, _flags: u32) -> Result<Box<dyn FileObject>> {
        let (place, shared) = (Rc::clone(&self.place), Rc::clone(&self.shared));
        Ok(Box::new(DeviceFile::new(self.device, place, shared)?))
    }

    fn recorded(&self) -> &dyn Recorded {
        self
    }

    fn positioned(&self) -> &dyn Positioned {
        self
    }
}

impl Recorded for DeviceFile {
    fn own_locks(&self) -> Option<&Rc<FileLocks>> {
        Some(&self.locks)
    }

    fn note_unlocked(&self) {
        self.shared.note_activity();
    }
}

impl Positioned for DeviceFile {
    fn pread(&self, buf: &mut [u8], _offset: u64) -> Result<usize> {
        self.read(buf)
    }

    fn pwrite(&self, data: &[u8], _offset: u64) -> Result<usize> {
        self.write(data)
    }

    fn seek(&self, _offset: i64, _whence: u32) -> Result<u64> {
        Ok(0)
    }
}

/// Opens the host's controlling terminal for the guest's `/dev/tty`, if it was given to the guest as a standard stream.
///
/// # Errors
/// `ENXIO` when there is none, or it is not the guest's.
pub(crate) fn open_tty(shared: &Shared) -> Result<OwnedFd> {
    if !shared.has_controlling_terminal() {
        return Err(Errno::ENXIO);
    }
    let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY;
    rustix::fs::openat(CWD, c"/dev/tty", flags, Mode::empty()).map_err(|_| Errno::ENXIO)
}
