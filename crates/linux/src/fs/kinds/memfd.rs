//! Memory files (memfd_create(2)).

use rustix::fs;

use super::host_file::HostFile;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::o;
use crate::fs::open_file::{FileRef, OpenFile};
use crate::fs::vfs::Vfs;

impl Vfs {
    /// `memfd_create`: an unnamed file in the host's memory.
    ///
    /// # Errors
    /// `EINVAL` for a flag other than `MFD_CLOEXEC` (1) and `MFD_ALLOW_SEALING` (2), which is
    /// accepted without effect; `EINVAL` for a name of 250 bytes or more.
    pub fn memfd(&self, name: &[u8], flags: u32) -> Result<FileRef> {
        const CLOEXEC: u32 = 1;
        const ALLOW_SEALING: u32 = 2;
        if flags & !(CLOEXEC | ALLOW_SEALING) != 0 || name.len() >= 250 || name.contains(&0) {
            return Err(Errno::EINVAL);
        }
        let fd = fs::memfd_create(c"capvec", fs::MemfdFlags::CLOEXEC)?;
        let label = [b"/memfd:", name, b" (deleted)"].concat();
        let file = HostFile::anonymous(self, fd, label)?;
        Ok(OpenFile::new(Box::new(file), o::RDWR))
    }
}
