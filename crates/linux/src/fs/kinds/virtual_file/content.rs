//! What virtual files contain.

use crate::base::errno::{Errno, Result};
use crate::fs::caller::Caller;
use crate::fs::vfs::Vfs;
use crate::fs::virtual_texts::format;
use crate::fs::virtual_trees::entry::{Entry, StateFile};
use crate::fs::virtual_trees::node::{PidKind, Task, VirtNode};

impl StateFile {
    fn content(self, vfs: &Vfs, c: &Caller<'_>) -> Vec<u8> {
        match self {
            StateFile::RandomUuid => {
                let mut bytes = [0; 16];
                vfs.shared.platform().fill_random(&mut bytes);
                format::uuid(bytes)
            }
            StateFile::SocketCounts => {
                format::sockstat(&c.procs.socket_counts(), vfs.sockets.count())
            }
            StateFile::UnixSockets => vfs.sockets.table(),
        }
    }
}

impl VirtNode {
    /// The contents of a virtual file.
    ///
    /// # Errors
    /// `ESRCH` when the process is gone; `EINVAL` when it is not a file; `ENOMEM`.
    pub fn content(self, vfs: &Vfs, c: &Caller<'_>) -> Result<Vec<u8>> {
        match self {
            VirtNode::Fixed(Entry::File(make)) => Ok(make(c.procs)),
            VirtNode::Fixed(Entry::FromState(file)) => Ok(file.content(vfs, c)),
            VirtNode::PidEntry { task: task @ Task { pid, tid, .. }, entry } => match entry.kind {
                PidKind::Maps => {
                    task.inspect(c)?;
                    format::maps(|each| c.procs.maps(pid, each), |len| vfs.shared.charge(len))
                }
                PidKind::Mounts => Ok(format::mounts(vfs.mounts.iter())),
                PidKind::MountInfo => Ok(format::mountinfo(vfs.mounts.iter())),
                PidKind::File(make) => make(c.procs, pid, tid).ok_or(Errno::ESRCH),
                _ => Err(Errno::EINVAL),
            },
            _ => Err(Errno::EINVAL),
        }
    }
}
