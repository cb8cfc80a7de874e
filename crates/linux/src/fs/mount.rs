//! The mount table: which host directory or virtual tree appears where in the guest.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::rc::Rc;

use rustix::fs::{self, CWD, Mode, OFlags};

use crate::fs::config::{SCRATCH, VfsConfig};
use crate::fs::host;
use crate::fs::host::scratch_dir::PrivateDir;
use crate::fs::stat::{StatFs, makedev};
use crate::interface::{Bind, SetupError};

/// One mounted tree.
pub(crate) struct Mount {
    /// Number, from 1; part of device numbers and `statx`.
    pub id: u64,
    /// Absolute guest path, without trailing slash; empty for the root.
    pub path: Vec<u8>,
    /// Whether the guest may write.
    pub writable: bool,
    /// What is mounted.
    pub source: Source,
    /// The guest cannot change its files, by whatever path, so they may be mapped into guest memory.
    pub unchanging: bool,
}

/// What a mount shows.
pub(crate) enum Source {
    /// A host directory or file, held by an `O_PATH` descriptor.
    Host(Rc<OwnedFd>),
    /// A private directory, held by an `O_PATH` descriptor.
    Scratch(Rc<OwnedFd>),
    /// The virtual `/dev`.
    Dev,
    /// The virtual `/proc`.
    Proc,
    /// The virtual `/sys`.
    Sys,
}

impl Mount {
    /// The device number of files on this mount: minor numbers of "unnamed" devices as Linux uses
    /// for file systems without a disk.
    pub fn dev(&self) -> u64 {
        makedev(0, 0x20 + self.id as u32)
    }

    /// Whether its files are private to the guest.
    pub fn is_private(&self) -> bool {
        matches!(self.source, Source::Scratch(_))
    }

    /// The kind as `/proc/mounts` names it.
    pub fn kind(&self) -> &'static str {
        match self.source {
            Source::Host(_) => "ext4",
            Source::Scratch(_) => "tmpfs",
            Source::Dev => "devtmpfs",
            Source::Proc => "proc",
            Source::Sys => "sysfs",
        }
    }

    /// Attributes of the file system; magic numbers from `include/uapi/linux/magic.h`.
    pub fn statfs(&self) -> StatFs {
        let magic = match self.source {
            Source::Host(_) => 0xef53,
            Source::Scratch(_) | Source::Dev => 0x0102_1994,
            Source::Proc => 0x9fa0,
            Source::Sys => 0x6265_6572,
        };
        StatFs { magic, fsid: self.id as u32, read_only: !self.writable }
    }
}

/// What the mount table contains at a path.
pub(crate) enum Hit {
    /// A mount point.
    Mount(Rc<Mount>),
    /// A directory on the way to a mount point.
    Ancestor,
    /// Nothing.
    None,
}

/// Whether no writable bind lies in this directory or contains it.
fn apart(sysroot: &Path, binds: &[Bind]) -> bool {
    let Ok(sysroot) = sysroot.canonicalize() else { return false };
    let is_apart = |bind: &Bind| {
        let path = bind.host.canonicalize();
        path.is_ok_and(|path| !path.starts_with(&sysroot) && !sysroot.starts_with(&path))
    };
    binds.iter().filter(|bind| bind.writable).all(is_apart)
}

/// All mounts, root first, and the private directory of the scratch mounts.
pub(crate) struct MountTable {
    mounts: Vec<Rc<Mount>>,
    last_id: u64,
    // Removed with its contents when the table is dropped, at the latest.
    private: PrivateDir,
}

impl MountTable {
    /// A table with the root and nothing else.
    pub fn new(config: &VfsConfig) -> Result<MountTable, SetupError> {
        let (fd, stat) = open_path("sysroot", &config.sysroot)?;
        if fs::FileType::from_raw_mode(stat.st_mode) != fs::FileType::Directory {
            return Err(SetupError::NotDirectory { path: config.sysroot.clone() });
        }
        let mut table = MountTable { mounts: Vec::new(), last_id: 0, private: PrivateDir::new()? };
        table.add(Vec::new(), false, Source::Host(Rc::new(fd)));
        let unchanging = apart(&config.sysroot, &config.binds);
        let root = table.mounts.first_mut().and_then(Rc::get_mut);
        root.into_iter().for_each(|root| root.unchanging = unchanging);
        Ok(table)
    }

    /// Mounts `source` at an absolute guest path whose symbolic links are resolved.
    pub fn add(&mut self, path: Vec<u8>, writable: bool, source: Source) {
        // A mount hides those at and below its path.
        self.mounts.retain(|mount| {
            mount.path.is_empty() || (mount.path != path && below(&path, &mount.path).is_none())
        });
        self.last_id += 1;
        let id = self.last_id;
        self.mounts.push(Rc::new(Mount { id, path, writable, source, unchanging: false }));
    }

    /// Mounts a fresh private directory, and returns the mode that it must get.
    pub fn add_scratch(&mut self, path: Vec<u8>) -> Result<u32, SetupError> {
        let mode = SCRATCH.iter().find(|(p, _)| p.as_bytes() == path).map_or(0o755, |(_, m)| *m);
        let fd = self.private.subdirectory(self.last_id)?;
        self.add(path, true, Source::Scratch(Rc::new(fd)));
        Ok(mode)
    }

    /// Mounts a bind's host object.
    pub fn add_bind(&mut self, bind: &Bind, path: Vec<u8>) -> Result<(), SetupError> {
        let (fd, stat) = open_path("--bind", &bind.host)?;
        if host::is_kernel_interface(&fd).unwrap_or(true) {
            return Err(SetupError::KernelBind { path: bind.host.clone() });
        }
        match fs::FileType::from_raw_mode(stat.st_mode) {
            fs::FileType::Directory | fs::FileType::RegularFile => {}
            _ => return Err(SetupError::BadBind { path: bind.host.clone() }),
        }
        self.add(path, bind.writable, Source::Host(Rc::new(fd)));
        Ok(())
    }

    /// Removes the private directory, though files may still be open in it.
    pub fn remove_private(&self) {
        self.private.remove();
    }

    /// The root mount.
    pub fn root(&self) -> Rc<Mount> {
        Rc::clone(&self.mounts[0])
    }

    /// All mounts in the order in which they were made.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Mount>> {
        self.mounts.iter()
    }

    /// What is mounted at `path` (absolute, resolved, without trailing slash).
    pub fn at(&self, path: &[u8]) -> Hit {
        let mut hit = Hit::None;
        for mount in &self.mounts[1..] {
            if mount.path == path {
                hit = Hit::Mount(Rc::clone(mount));
            } else if matches!(hit, Hit::None) && below(path, &mount.path).is_some() {
                hit = Hit::Ancestor;
            }
        }
        hit
    }

    /// Names that mounts add to the directory `path`, without repetition, in order.
    pub fn children(&self, path: &[u8]) -> Vec<Vec<u8>> {
        let mut names: Vec<Vec<u8>> = self.mounts[1..]
            .iter()
            .filter_map(|mount| below(path, &mount.path))
            .map(|rest| rest.split(|&b| b == b'/').next().unwrap_or(rest).to_vec())
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

/// The part of `path` below the directory `dir`, if it lies below.
fn below<'a>(dir: &[u8], path: &'a [u8]) -> Option<&'a [u8]> {
    path.strip_prefix(dir)?.strip_prefix(b"/")
}

fn open_path(
    what: &'static str,
    path: &std::path::Path,
) -> Result<(OwnedFd, fs::Stat), SetupError> {
    let open = || {
        let fd = fs::openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        let stat = fs::fstat(&fd)?;
        Ok((fd, stat))
    };
    open().map_err(|e: rustix::io::Errno| SetupError::Open {
        what,
        path: path.to_path_buf(),
        error: e.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Bind, apart};

    #[test]
    fn a_writable_bind_that_reaches_the_sysroot_is_noticed() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        let sysroot = at("store/root");
        for name in ["store/root/usr", "store/rooted", "other"] {
            std::fs::create_dir_all(at(name)).expect("a directory");
        }
        std::os::unix::fs::symlink(&sysroot, at("link")).expect("a link");
        let bind = |name, writable| Bind { host: at(name), guest: b"/w".into(), writable };
        for (name, expected) in [
            ("other", true),
            ("store/rooted", true),
            ("store", false),
            ("store/root", false),
            ("store/root/usr", false),
            ("link", false),
            ("nowhere", false),
        ] {
            assert_eq!(
                apart(&sysroot, &[bind("other", true), bind(name, true)]),
                expected,
                "{name}"
            );
            assert!(apart(&sysroot, &[bind(name, false)]), "{name}");
        }
        assert!(!apart(&at("nowhere"), &[]));
    }
}
