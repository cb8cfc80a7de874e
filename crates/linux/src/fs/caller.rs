//! The thread that makes a call.

use std::cell::RefCell;
use std::rc::Rc;

use crate::base::cred::Cred;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::at;
use crate::fs::open_file::FileRef;
use crate::fs::open_file::fd_table::FdTable;
use crate::fs::path::located::Dir;
use crate::fs::virtual_texts::queries::{ProcSource, SingleProcess};

/// All processes: what `/proc` shows of them, and the objects that its links lead to.
pub trait Processes: ProcSource {
    /// Working directory.
    fn cwd(&self, pid: i32) -> Option<Dir>;
    /// Descriptors. Not called for the calling process itself.
    fn fds(&self, pid: i32) -> Option<Rc<RefCell<FdTable>>>;
}

impl Processes for SingleProcess {
    fn cwd(&self, _pid: i32) -> Option<Dir> {
        None
    }

    fn fds(&self, _pid: i32) -> Option<Rc<RefCell<FdTable>>> {
        None
    }
}

/// The calling process's state that file operations depend on, borrowed for one call. No mutable
/// borrow of `fds` may be held during the call.
pub struct Caller<'a> {
    /// The process.
    pub pid: i32,
    /// The thread.
    pub tid: i32,
    /// Working directory.
    pub cwd: &'a Dir,
    /// File mode creation mask.
    pub umask: u32,
    /// Users, groups and capabilities.
    pub cred: &'a Cred,
    /// Descriptors.
    pub fds: &'a Rc<RefCell<FdTable>>,
    /// All processes, for `/proc`.
    pub procs: &'a dyn Processes,
}

impl Caller<'_> {
    /// The open file description that `fd` refers to.
    ///
    /// # Errors
    /// `EBADF` when `fd` is not open.
    pub fn file(&self, fd: i32) -> Result<FileRef> {
        self.fds.borrow().get(fd)
    }

    /// The directory from which a relative path starts.
    ///
    /// # Errors
    /// `EBADF`, `ENOTDIR`.
    pub(crate) fn base(&self, dirfd: i32) -> Result<Dir> {
        if dirfd == at::FDCWD {
            return Ok(Rc::clone(self.cwd));
        }
        let file = self.file(dirfd)?;
        let place = file.place().filter(|place| place.is_dir());
        place.map(Rc::clone).ok_or(Errno::ENOTDIR)
    }

    fn table_of(&self, pid: i32) -> Option<Rc<RefCell<FdTable>>> {
        if pid == self.pid { Some(Rc::clone(self.fds)) } else { self.procs.fds(pid) }
    }

    /// The open file description of a process's descriptor.
    pub(crate) fn file_of(&self, pid: i32, fd: i32) -> Option<FileRef> {
        self.table_of(pid)?.borrow().get(fd).ok()
    }

    /// The open descriptors of a process.
    pub(crate) fn fds_of(&self, pid: i32) -> Vec<i32> {
        self.table_of(pid).map(|table| table.borrow().numbers().collect()).unwrap_or_default()
    }

    /// The working directory of a process.
    pub(crate) fn cwd_of(&self, pid: i32) -> Option<Dir> {
        if pid == self.pid { Some(Rc::clone(self.cwd)) } else { self.procs.cwd(pid) }
    }
}
