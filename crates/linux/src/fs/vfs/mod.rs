//! The guest's file system as a whole: its state, path resolution, and attributes and events of places.

mod notify;
mod places;
pub(super) mod resolve;

use std::rc::Rc;

use crate::fs::host::FdDir;
use crate::fs::inode::table::InodeTable;
use crate::fs::mount::MountTable;
use crate::fs::path::located::Dir;
use crate::fs::platform::Platform;
use crate::fs::shared_state::{Shared, StoredByte};
use crate::fs::unix::socket::Sockets;

/// The file system of one emulated machine. A clone is another handle to it.
#[derive(Clone)]
pub struct Vfs {
    pub(crate) shared: Rc<Shared>,
    pub(crate) inodes: Rc<InodeTable>,
    pub(crate) sockets: Rc<Sockets>,
    pub(crate) mounts: Rc<MountTable>,
    pub(crate) host_fds: Rc<FdDir>,
    pub(in crate::fs) root: Dir,
}

impl Vfs {
    /// The root directory, the working directory of a first process.
    #[must_use]
    pub fn root(&self) -> Dir {
        Rc::clone(&self.root)
    }

    /// A counter that grows whenever a pipe, socket, event or timer descriptor changes state:
    /// until it grows, threads that wait for one of them need not be checked.
    #[must_use]
    pub fn activity(&self) -> u64 {
        self.shared.activity()
    }

    /// Removes the private files and restores the modes of the host's terminal. Called at the end of the run, since some
    /// handles may never be dropped: the guest can send files through sockets in a cycle.
    pub fn close(&self) {
        self.shared.restore_terminal();
        self.mounts.remove_private();
    }

    /// Notes from now on where the bytes of transfers are.
    pub(crate) fn note_transfers(&self) {
        self.shared.transfers.note_all();
    }

    /// Where the bytes of the last transfers since the previous call of this function are: at most two places.
    pub(crate) fn take_transfers(&self) -> Vec<StoredByte> {
        self.shared.transfers.take()
    }

    /// The platform given at the start.
    #[must_use]
    pub fn platform(&self) -> &dyn Platform {
        self.shared.platform()
    }
}
