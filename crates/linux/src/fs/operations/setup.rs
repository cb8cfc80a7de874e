//! Setting the file system up.

use std::rc::Rc;

use crate::base::errno::{Errno, Result};
use crate::fs::config::VfsConfig;
use crate::fs::host::{self, FdDir};
use crate::fs::inode::owner::Owner;
use crate::fs::inode::table::InodeTable;
use crate::fs::mount::{MountTable, Source};
use crate::fs::path::located::{Node, Place};
use crate::fs::platform::Platform;
use crate::fs::shared_state::Shared;
use crate::fs::unix::socket::Sockets;
use crate::fs::vfs::Vfs;
use crate::fs::vfs::resolve;
use crate::interface::SetupError;

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
        let inodes = Rc::new(InodeTable::new(&shared));
        let sockets = Rc::new(Sockets::new(&shared));
        let root = Place::root(&shared, &inodes, mounts.root()).map_err(setup_error)?;
        let mut vfs = Vfs {
            shared,
            inodes,
            sockets,
            mounts: Rc::new(mounts),
            host_fds: Rc::new(host_fds),
            root,
        };
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

    /// Sets the attributes of the newest mount, a scratch directory: times by the guest's clock, owner root, and `mode`.
    fn scratch_created(&self, mode: u32) -> Result<()> {
        if let Some(Source::Scratch(fd)) = self.mounts.iter().last().map(|mount| &mount.source) {
            let stat = host::stat(&**fd)?;
            let inode = self.inodes.record(&stat)?;
            inode.created(&stat, self.platform().now());
            inode.set_owner(Owner { uid: 0, gid: 0, mode });
        }
        Ok(())
    }

    fn check_openat2(&self) -> std::result::Result<(), SetupError> {
        let Node::Host(root) = &self.root.node else { return Ok(()) };
        match host::locate(root.fd(), b"\xff") {
            Ok(_) | Err(Errno::ENOENT) => Ok(()),
            Err(e) => Err(setup_error(e)),
        }
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
