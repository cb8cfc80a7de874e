//! Where virtual symbolic links lead.

use crate::base::errno::{Errno, Result};
use crate::fs::caller::Caller;
use crate::fs::open_file::FileRef;
use crate::fs::path::located::Dir;
use crate::fs::virtual_trees::entry::Entry;
use crate::fs::virtual_trees::node::{PidKind, Task, VirtNode};

/// Where a virtual symbolic link leads.
pub(crate) enum Target {
    /// To a path of the guest.
    Path(Vec<u8>),
    /// To a directory itself, whatever its path.
    Place(Dir),
    /// To an open file.
    File(FileRef),
}

impl Task {
    /// Checks that the caller may inspect the process.
    pub(in crate::fs) fn inspect(&self, c: &Caller<'_>) -> Result<()> {
        match c.procs.cred(self.pid, self.tid) {
            Some(cred) if self.pid != c.pid && !c.cred.may_inspect(&cred) => Err(Errno::EACCES),
            _ => Ok(()),
        }
    }
}

impl VirtNode {
    /// The text of a symbolic link (`readlink`).
    ///
    /// # Errors
    /// `ENOENT` when the process is gone; `EINVAL` when it is not a link.
    pub fn link_text(self, c: &Caller<'_>) -> Result<Vec<u8>> {
        match self.target(c)? {
            Target::Path(path) => Ok(path),
            Target::Place(dir) => Ok(dir.path().to_vec()),
            Target::File(file) => Ok(file.label()),
        }
    }

    /// Where a symbolic link leads.
    ///
    /// # Errors
    /// `ENOENT` when the process or descriptor is gone; `EINVAL` when it is not a link.
    pub fn target(self, c: &Caller<'_>) -> Result<Target> {
        match self {
            VirtNode::Fixed(Entry::Link(text)) => Ok(Target::Path(text.as_bytes().to_vec())),
            VirtNode::SelfLink { thread: false } => Ok(Target::Path(c.pid.to_string().into())),
            VirtNode::SelfLink { thread: true } => {
                Ok(Target::Path(format!("{}/task/{}", c.pid, c.tid).into()))
            }
            VirtNode::FdLink { task, fd } => {
                task.inspect(c)?;
                c.file_of(task.pid, fd).map(Target::File).ok_or(Errno::ENOENT)
            }
            VirtNode::PidEntry { task: task @ Task { pid, .. }, entry } => {
                if matches!(entry.kind, PidKind::Exe | PidKind::Cwd | PidKind::Root) {
                    task.inspect(c)?;
                }
                match entry.kind {
                    PidKind::Exe => c.procs.exe(pid).map(Target::Path).ok_or(Errno::ENOENT),
                    PidKind::Cwd => c.cwd_of(pid).map(Target::Place).ok_or(Errno::ENOENT),
                    PidKind::Root => Ok(Target::Path(b"/".to_vec())),
                    _ => Err(Errno::EINVAL),
                }
            }
            _ => Err(Errno::EINVAL),
        }
    }
}
