//! The interface of all kinds of open files.

use std::any::Any;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;

use crate::base::errno::{Errno, Result};
use crate::fs::abi::ioctl;
use crate::fs::events::Events;
use crate::fs::inode::InodeRef;
use crate::fs::locks::FileLocks;
use crate::fs::stat::{Stat, StatFs};
use crate::fs::watch::EventSource;

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

/// One kind of open file: the operations that every kind has. Operations that only some kinds have are a facet, a trait
/// of its own; a kind without the facet returns `Absent`.
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

    /// Called when `O_APPEND` or `O_NONBLOCK` change.
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

/// A file that can be accessed by position. The defaults are those of a file without positions and size.
pub trait Positioned {
    /// Reads at `offset` and leaves the position alone.
    ///
    /// # Errors
    /// `ESPIPE` when the kind has no positions.
    fn pread(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        let _ = (buf, offset);
        Err(Errno::ESPIPE)
    }

    /// Writes at `offset` and leaves the position alone.
    ///
    /// # Errors
    /// `ESPIPE` when the kind has no positions.
    fn pwrite(&self, data: &[u8], offset: u64) -> Result<usize> {
        let _ = (data, offset);
        Err(Errno::ESPIPE)
    }

    /// Moves the position and returns the new one.
    ///
    /// # Errors
    /// `ESPIPE` when the kind has no position; `EINVAL`, `ENXIO` for a bad target.
    fn seek(&self, offset: i64, whence: u32) -> Result<u64> {
        let _ = (offset, whence);
        Err(Errno::ESPIPE)
    }

    /// Sets the size.
    ///
    /// # Errors
    /// `EINVAL` when the kind has no size.
    fn truncate(&self, size: u64) -> Result<()> {
        let _ = size;
        Err(Errno::EINVAL)
    }

    /// `fallocate` without mode: makes the file at least `size` bytes long.
    ///
    /// # Errors
    /// `ENODEV` when the kind has no size.
    fn allocate(&self, size: u64) -> Result<()> {
        let _ = size;
        Err(Errno::ENODEV)
    }

    /// Flushes to the medium.
    ///
    /// # Errors
    /// `EINVAL` when the kind has no medium.
    fn sync(&self) -> Result<()> {
        Err(Errno::EINVAL)
    }
}

/// A file with readiness. By default it is always ready.
pub trait Pollable {
    /// Readiness now.
    fn poll_ready(&self) -> Events {
        Events::ALWAYS
    }

    /// A number that changes whenever new data or room arrive (edge-triggered epoll).
    fn generation(&self) -> u64 {
        0
    }

    /// Monotonic time in nanoseconds at which readiness changes by itself (timer descriptors).
    fn deadline(&self) -> Option<u64> {
        None
    }

    /// The host's descriptor to wait for, if input comes from the host at any time.
    fn host_wait(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Whether an action of the host may make it ready.
    fn depends_on_host(&self) -> bool {
        self.host_wait().is_some()
    }
}

/// A file that has a record of its inode. By default it has none.
pub trait Recorded {
    /// The record of the host inode of a regular file.
    fn inode(&self) -> Option<&InodeRef> {
        None
    }

    /// The locks of a file without such a record.
    fn own_locks(&self) -> Option<&Rc<FileLocks>> {
        None
    }

    /// Called when a lock has been released for which others may wait.
    fn note_unlocked(&self) {}

    /// The source of its file events, if anything is watched at all.
    fn event_source(&self) -> Option<EventSource> {
        None
    }
}

/// A file that can be mapped. By default it cannot.
pub trait Mappable {
    /// The host's descriptor of a regular file, for mapping it into guest memory.
    fn host_fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// The host's descriptor of a regular file whose contents cannot change while the guest runs: its pages can be mapped into
    /// guest memory instead of being copied.
    fn image(&self) -> Option<Rc<OwnedFd>> {
        None
    }

    /// The record of the host inode whose pages mappings can share.
    fn mapped_inode(&self) -> Option<InodeRef> {
        None
    }
}

/// A directory. The default methods are those of a file that is not a directory.
pub trait Directory {
    /// Encodes directory entries as `linux_dirent64` into `buf`; returns the bytes used, 0 at the
    /// end.
    ///
    /// # Errors
    /// `ENOTDIR` when the file is not a directory; `EINVAL` when `buf` is too small for one entry.
    fn getdents64(&self, buf: &mut [u8]) -> Result<usize> {
        let _ = buf;
        Err(Errno::ENOTDIR)
    }
}

/// A pipe, with or without a name. The default methods are those of a file that is not a pipe.
pub trait Pipe {
    /// `fcntl(F_GETPIPE_SZ)` and, with `set`, `fcntl(F_SETPIPE_SZ)`.
    ///
    /// # Errors
    /// `EBADF` when the file is not a pipe.
    fn pipe_size(&self, set: Option<usize>) -> Result<usize> {
        let _ = set;
        Err(Errno::EBADF)
    }

    /// Whether opening it is not complete: the other side of a named pipe is missing.
    fn is_opening(&self) -> bool {
        false
    }
}

/// A standard stream of the host. The default methods are those of a file that is not a standard stream.
pub trait HostStream {
    /// Whether it is a terminal.
    fn is_terminal(&self) -> bool {
        false
    }

    /// Whether reading it may block the host's thread, and so all threads of the guest.
    fn may_block(&self) -> bool {
        false
    }

    /// Whether it is a pipe or the like: the bytes repeat with every run, their timing does not.
    fn is_host_pipe(&self) -> bool {
        false
    }
}

/// A socket. The default methods are those of a file that is not a socket.
pub trait Socket {
    /// `shutdown` of a socket; `how` is `SHUT_RD` 0, `SHUT_WR` 1 or `SHUT_RDWR` 2.
    ///
    /// # Errors
    /// `ENOTSOCK` when the file is not a socket.
    fn shutdown(&self, how: u32) -> Result<()> {
        let _ = how;
        Err(Errno::ENOTSOCK)
    }
}

/// The facets of a kind that does not have them.
pub struct Absent;

impl Positioned for Absent {}
impl Pollable for Absent {}
impl Recorded for Absent {}
impl Mappable for Absent {}
impl Directory for Absent {}
impl Pipe for Absent {}
impl HostStream for Absent {}
impl Socket for Absent {}
