//! The interface of all kinds of open files.

mod facets;

use std::any::Any;

use crate::base::errno::{Errno, Result};
use crate::fs::abi::ioctl;
use crate::fs::stat::{Stat, StatFs};
pub use facets::{
    Absent, Directory, HostStream, Mappable, Pipe, Pollable, Positioned, Recorded, Socket,
};

/// The guest memory that an `ioctl` argument points at.
pub trait IoctlArg {
    /// Copies from the guest's memory.
    ///
    /// # Errors
    /// `EFAULT` when the memory is not readable.
    fn read(&self, buf: &mut [u8]) -> Result<()>;
    /// Copies to the guest's memory.
    ///
    /// # Errors
    /// `EFAULT` when the memory is not writable.
    fn write(&mut self, data: &[u8]) -> Result<()>;
}

/// Answers `FIONREAD`.
pub(in crate::fs) fn fionread(command: u32, arg: &mut dyn IoctlArg, len: usize) -> Result<i64> {
    if command != ioctl::FIONREAD {
        return Err(Errno::ENOTTY);
    }
    arg.write(&(len.min(i32::MAX as usize) as i32).to_le_bytes())?;
    Ok(0)
}

/// One kind of open file: the operations that every kind has. Operations that only some kinds have are in facets,
/// which are separate traits; a kind without a facet returns `Absent`.
///
/// A transfer that would block returns `EAGAIN` whether or not `O_NONBLOCK` is set; the caller
/// decides between returning it to the guest and parking the guest's thread. Access modes are
/// checked by [`OpenFile`](crate::fs::OpenFile).
pub trait FileObject: Any {
    /// Attributes.
    ///
    /// # Errors
    /// Those of the host.
    fn stat(&self) -> Result<Stat>;

    /// What `/proc/PID/fd/N` shows: a guest path, or a label such as `pipe:[17]`.
    fn label(&self) -> Vec<u8>;

    /// Reads at the file's own position.
    ///
    /// # Errors
    /// `EINVAL` when the kind cannot be read; `EAGAIN` when it would block.
    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        let _ = buf;
        Err(Errno::EINVAL)
    }

    /// Writes at the file's own position. May be short; a blocking writer continues with the rest.
    ///
    /// # Errors
    /// `EINVAL` when the kind cannot be written; `EAGAIN` when it would block; `EPIPE` when no reader is
    /// left (the caller raises `SIGPIPE`).
    fn write(&self, data: &[u8]) -> Result<usize> {
        let _ = data;
        Err(Errno::EINVAL)
    }

    /// A device control call.
    ///
    /// # Errors
    /// `ENOTTY` for a command that the kind does not know.
    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        let _ = (command, arg);
        Err(Errno::ENOTTY)
    }

    /// Attributes of the file system it lies on.
    fn statfs(&self) -> StatFs {
        /// `ANON_INODE_FS_MAGIC` of `include/uapi/linux/magic.h`.
        const ANON_INODE_FS_MAGIC: u64 = 0x0904_1934;
        StatFs { magic: ANON_INODE_FS_MAGIC, fsid: 0, read_only: false }
    }

    /// Called when `O_APPEND` or `O_NONBLOCK` changes.
    ///
    /// # Errors
    /// Those of the host.
    fn flags_changed(&self, flags: u32) -> Result<()> {
        let _ = flags;
        Ok(())
    }

    /// Another description of the same object with access `flags`, for opening
    /// `/proc/self/fd/N`.
    ///
    /// # Errors
    /// `ENXIO` when the kind cannot be opened by name; `EACCES`, `EROFS` for a forbidden access.
    fn reopen(&self, flags: u32) -> Result<Box<dyn FileObject>> {
        let _ = flags;
        Err(Errno::ENXIO)
    }

    /// Access by position.
    fn positioned(&self) -> &dyn Positioned {
        &Absent
    }

    /// Readiness.
    fn pollable(&self) -> &dyn Pollable {
        &Absent
    }

    /// Its inode.
    fn recorded(&self) -> &dyn Recorded {
        &Absent
    }

    /// Mapping into memory.
    fn mappable(&self) -> &dyn Mappable {
        &Absent
    }

    /// Directory operations.
    fn directory(&self) -> &dyn Directory {
        &Absent
    }

    /// Pipe operations.
    fn pipe(&self) -> &dyn Pipe {
        &Absent
    }

    /// Properties of a stream of the host.
    fn host_stream(&self) -> &dyn HostStream {
        &Absent
    }

    /// Socket operations.
    fn socket(&self) -> &dyn Socket {
        &Absent
    }
}
