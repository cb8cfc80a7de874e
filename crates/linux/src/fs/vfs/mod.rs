//! The guest's file system as a whole.

pub(super) mod attributes;
pub(super) mod directory_entries;
mod notify;
pub(super) mod open;

use std::rc::Rc;

use crate::base::errno::{Errno, Result};
use crate::fs::host::FdDir;
use crate::fs::path::located::{Dir, Node, Place};
use crate::fs::path::mount::{MountTable, SetupError, Source, VfsConfig};
use crate::fs::path::permission::Owner;
use crate::fs::path::resolve;
use crate::fs::platform::Platform;
use crate::fs::shared_state::Shared;

/// The file system of one emulated machine. A clone is another handle to it.
#[derive(Clone)]
pub struct Vfs {
    pub(crate) shared: Rc<Shared>,
    pub(crate) mounts: Rc<MountTable>,
    pub(crate) host_fds: Rc<FdDir>,
    root: Dir,
}

impl Vfs {
    /// Sets up the mounts of `config`: the sysroot, the virtual trees, the scratch directories,
    /// then the binds, each covering earlier mounts. Symbolic links in the guest paths of
    /// mounts are resolved in the guest.
    ///
    /// # Errors
    /// [`SetupError`] names what cannot be opened or mounted.
    pub fn new(
        config: &VfsConfig,
        platform: Rc<dyn Platform>,
    ) -> std::result::Result<Vfs, SetupError> {
        let host_fds = FdDir::open().map_err(|e| SetupError::Host {
            what: "a host /proc (mount -t proc proc /proc)",
            error: e.into(),
        })?;
        let mounts = MountTable::new(config)?;
        let shared = Shared::new(platform);
        let root = Place::root(&shared, mounts.root()).map_err(setup_error)?;
        let mut vfs = Vfs { shared, mounts: Rc::new(mounts), host_fds: Rc::new(host_fds), root };
        vfs.check_openat2()?;
        for (path, source) in
            [("/dev", Source::Dev), ("/proc", Source::Proc), ("/sys", Source::Sys)]
        {
            vfs.table_mut()?.add(path.into(), true, source);
        }
        for path in &config.scratch {
            let path = resolve::mount_point(&vfs, path)?;
            let mode = vfs.table_mut()?.add_scratch(path)?;
            vfs.scratch_created(mode).map_err(setup_error)?;
        }
        for bind in &config.binds {
            let path = resolve::mount_point(&vfs, &bind.guest)?;
            vfs.table_mut()?.add_bind(bind, path)?;
        }
        Ok(vfs)
    }

    /// The table while it is being filled: no other handle exists then.
    fn table_mut(&mut self) -> std::result::Result<&mut MountTable, SetupError> {
        Rc::get_mut(&mut self.mounts).ok_or_else(|| setup_error(Errno::EBUSY))
    }

    /// Sets the times of the newest mount, a scratch directory, by the guest's clock, its owner to root, and its mode.
    fn scratch_created(&self, mode: u32) -> Result<()> {
        if let Some(Source::Scratch(fd)) = self.mounts.iter().last().map(|mount| &mount.source) {
            let stat = crate::fs::host::stat(&**fd)?;
            let inode = self.shared.inode(&stat)?;
            self.shared.created(&inode, &stat);
            inode.set_owner(Owner { uid: 0, gid: 0, mode });
        }
        Ok(())
    }

    fn check_openat2(&self) -> std::result::Result<(), SetupError> {
        let Node::Host(root) = &self.root.node else { return Ok(()) };
        match crate::fs::host::locate(root.fd(), b"\xff") {
            Ok(_) | Err(Errno::ENOENT) => Ok(()),
            Err(e) => Err(setup_error(e)),
        }
    }

    /// The root directory, the working directory of a first process.
    #[must_use]
    pub fn root(&self) -> Dir {
        Rc::clone(&self.root)
    }

    /// A counter that grows whenever a pipe, socket, event or timer descriptor changes state: a
    /// thread that waits for one of them need not be checked before.
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

    /// The platform given at the start.
    #[must_use]
    pub fn platform(&self) -> &dyn Platform {
        self.shared.platform()
    }

    /// `getcwd` for the working directory `dir`, without the terminating NUL.
    ///
    /// # Errors
    /// `ENOENT` when the directory was removed.
    pub fn getcwd(&self, dir: &Dir) -> Result<Vec<u8>> {
        if crate::fs::open_file::directory::is_removed(dir)? {
            return Err(Errno::ENOENT);
        }
        Ok(dir.path().to_vec())
    }
}

fn setup_error(e: Errno) -> SetupError {
    if e == Errno::ENOMEM {
        return SetupError::Memory;
    }
    SetupError::Host {
        what: "openat2 (Linux 5.6 or later, allowed by the container's seccomp profile)",
        error: std::io::Error::from_raw_os_error(e.0),
    }
}
