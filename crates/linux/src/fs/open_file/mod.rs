//! Open file descriptions.

pub(super) mod fcntl_lock;
pub(super) mod fd_table;
mod locking;
mod transfer;

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::base::errno::{Errno, Result};
use crate::fs::abi::{inotify as ev, ioctl, o, poll, s};
use crate::fs::events::Events;
use crate::fs::locks::record_lock::LockOwner;
use crate::fs::object::{FileObject, IoctlArg};
use crate::fs::path::located::Dir;
use crate::fs::stat::Stat;
pub use transfer::copy;

/// An open file description: what `open` makes, and `dup` and `fork` share.
pub struct OpenFile {
    number: u64,
    object: Rc<dyn FileObject>,
    place: Option<Dir>,
    flags: Cell<u32>,
    /// Watchers were notified of its opening, so its closing is reported, too.
    announced: Cell<bool>,
    owner: Cell<i32>,
}

/// A shared open file description.
pub type FileRef = Rc<OpenFile>;

/// Flags that `fcntl(F_SETFL)` can change.
const SETTABLE: u32 = o::APPEND | o::NONBLOCK | o::DIRECT | o::NOATIME;

/// Flags that act only when the file is opened.
const OPEN_ONLY: u32 = o::CREAT | o::EXCL | o::NOCTTY | o::TRUNC | o::CLOEXEC;

impl OpenFile {
    /// A description of `object` opened with `flags` (`O_*`).
    #[must_use]
    pub fn new(object: Box<dyn FileObject>, flags: u32) -> FileRef {
        Self::opened(object.into(), None, flags)
    }

    /// A description of `object`, which stands for a place in the guest's name space, opened with `flags`.
    pub(crate) fn at(place: &Dir, object: Box<dyn FileObject>, flags: u32) -> FileRef {
        Self::opened(object.into(), Some(Rc::clone(place)), flags)
    }

    fn opened(object: Rc<dyn FileObject>, place: Option<Dir>, flags: u32) -> FileRef {
        let kept = flags & !OPEN_ONLY;
        // The kernel forces O_LARGEFILE on 64-bit machines, and F_GETFL shows it.
        let large = if kept & o::PATH != 0 { 0 } else { o::LARGEFILE };
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let flags = Cell::new(kept | large);
        let (announced, owner) = (Cell::new(false), Cell::new(0));
        Rc::new(OpenFile { number, object, place, flags, announced, owner })
    }

    /// Notifies watchers that the guest has opened it.
    pub(crate) fn announce(&self) {
        self.announced.set(true);
        self.notify(ev::OPEN);
    }

    /// Notifies watchers of an event.
    pub(crate) fn notify(&self, mask: u32) {
        if let Some(event_source) = self.object.recorded().event_source() {
            event_source.notify(mask);
        }
    }

    /// A number that no other description has or has had; it grows with every new description.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The object that the description is open on.
    #[must_use]
    pub fn object(&self) -> &dyn FileObject {
        &*self.object
    }

    /// That object, for a place that stands for it.
    pub(crate) fn shared_object(&self) -> Rc<dyn FileObject> {
        Rc::clone(&self.object)
    }

    /// The place that a directory, a named pipe or an `O_PATH` description stands for.
    pub(crate) fn place(&self) -> Option<&Dir> {
        self.place.as_ref()
    }

    /// That object, if it is a `T`.
    ///
    /// For system calls that exist for one kind of file, such as epoll_ctl(2) or bind(2): each of these kinds has a
    /// function `of`, and nothing else calls this. What several kinds of files can do is a facet of [`FileObject`].
    pub(crate) fn kind<T: FileObject>(&self) -> Option<&T> {
        (self.object() as &dyn Any).downcast_ref()
    }

    /// Status flags and access mode, as `F_GETFL` returns them.
    #[must_use]
    pub fn flags(&self) -> u32 {
        self.flags.get()
    }

    /// Changes the status flags that `F_SETFL` can change.
    ///
    /// # Errors
    /// `EBADF` on an `O_PATH` description; those of the host.
    pub fn set_flags(&self, flags: u32) -> Result<()> {
        self.check_not_path()?;
        let settable = SETTABLE | if self.signals() { o::ASYNC } else { 0 };
        let new = (self.flags.get() & !settable) | (flags & settable);
        self.object.flags_changed(new)?;
        self.flags.set(new);
        Ok(())
    }

    /// Whether it can be asked for `SIGIO`. None is sent: programs ask for it only in case a kernel has nothing better.
    fn signals(&self) -> bool {
        let kind = self.object.stat().map_or(0, |stat| stat.file_type());
        matches!(kind, s::IFSOCK | s::IFIFO) || self.object.host_stream().is_terminal()
    }

    /// The process, or as a negative number the process group, that `F_SETOWN` has set.
    #[must_use]
    pub fn owner(&self) -> i32 {
        self.owner.get()
    }

    /// `F_SETOWN`.
    pub fn set_owner(&self, owner: i32) {
        self.owner.set(owner);
    }

    /// Whether `O_NONBLOCK` is set.
    #[must_use]
    pub fn nonblocking(&self) -> bool {
        self.flags.get() & o::NONBLOCK != 0
    }

    /// Whether it was opened with `O_PATH`.
    #[must_use]
    pub fn is_path(&self) -> bool {
        self.flags.get() & o::PATH != 0
    }

    /// Whether it is open for reading.
    #[must_use]
    pub fn readable(&self) -> bool {
        !self.is_path() && self.flags.get() & o::ACCMODE != o::WRONLY
    }

    /// Whether it is open for writing.
    #[must_use]
    pub fn writable(&self) -> bool {
        !self.is_path() && matches!(self.flags.get() & o::ACCMODE, o::WRONLY | o::RDWR)
    }

    fn check_not_path(&self) -> Result<()> {
        if self.is_path() { Err(Errno::EBADF) } else { Ok(()) }
    }

    /// `getdents64`.
    ///
    /// # Errors
    /// `EBADF`, `ENOTDIR`, `EINVAL` as [`Directory::getdents64`](crate::fs::Directory::getdents64); `ENOENT` after its removal.
    pub fn getdents64(&self, buf: &mut [u8]) -> Result<usize> {
        self.check_not_path()?;
        let used = self.object.directory().getdents64(buf)?;
        self.notify(ev::ACCESS);
        Ok(used)
    }

    /// `fstat`.
    ///
    /// # Errors
    /// Those of the host.
    pub fn stat(&self) -> Result<Stat> {
        self.object.stat()
    }

    /// `ioctl`. `FIOCLEX` and `FIONCLEX` belong to the descriptor table, not here.
    ///
    /// # Errors
    /// `EBADF` on `O_PATH`; `ENOTTY` for an unknown command; `EFAULT`.
    pub fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        self.check_not_path()?;
        let flag = match command {
            ioctl::FIONBIO => o::NONBLOCK,
            ioctl::FIOASYNC if self.signals() => o::ASYNC,
            _ => return self.object.ioctl(command, arg),
        };
        let mut on = [0; 4];
        arg.read(&mut on)?;
        let set = if on == [0; 4] { 0 } else { flag };
        self.set_flags((self.flags.get() & !flag) | set)?;
        Ok(0)
    }

    /// Readiness now; never blocks. An `O_PATH` description is invalid for `poll`.
    #[must_use]
    pub fn poll_ready(&self) -> Events {
        if self.is_path() { Events(poll::NVAL) } else { self.object.pollable().poll_ready() }
    }

    /// What `/proc/PID/fd/N` shows.
    #[must_use]
    pub fn label(&self) -> Vec<u8> {
        self.object.label()
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        if self.announced.get() {
            self.notify(if self.writable() { ev::CLOSE_WRITE } else { ev::CLOSE_NOWRITE });
        }
        self.unlock();
        self.release_record_locks(LockOwner::Description(self.number));
    }
}

impl fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenFile")
            .field("label", &String::from_utf8_lossy(&self.label()))
            .field("flags", &format_args!("{:#o}", self.flags.get()))
            .finish()
    }
}
