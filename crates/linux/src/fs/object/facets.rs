//! Facets: traits of operations that only some kinds of open files have.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;

use crate::base::errno::{Errno, Result};
use crate::fs::events::Events;
use crate::fs::inode::InodeRef;
use crate::fs::locks::FileLocks;
use crate::fs::watch::EventSource;

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

    /// Called when a lock that others may wait for has been released.
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

/// Stands for the facets that a kind does not have.
pub struct Absent;

impl Positioned for Absent {}
impl Pollable for Absent {}
impl Recorded for Absent {}
impl Mappable for Absent {}
impl Directory for Absent {}
impl Pipe for Absent {}
impl HostStream for Absent {}
impl Socket for Absent {}
