//! What the guest's file system is made of, and why it cannot be set up.

use std::path::PathBuf;

use thiserror::Error;

/// A host directory or file made visible to the guest.
#[derive(Clone, Debug)]
pub struct Bind {
    /// Path on the host.
    pub host: PathBuf,
    /// Absolute path in the guest.
    pub guest: Vec<u8>,
    /// Whether the guest may write.
    pub writable: bool,
}

/// The parts of the guest's file system.
#[derive(Clone, Debug)]
pub struct VfsConfig {
    /// Host directory that is the guest's `/`, read-only.
    pub sysroot: PathBuf,
    /// Absolute guest paths of private writable directories, empty at the start.
    pub scratch: Vec<Vec<u8>>,
    /// Host directories and files visible to the guest; later ones cover earlier ones.
    pub binds: Vec<Bind>,
}

/// Private writable directories of a default guest with their modes.
pub(super) const SCRATCH: [(&str, u32); 5] = [
    ("/tmp", 0o1777),
    ("/var/tmp", 0o1777),
    ("/run", 0o755),
    ("/dev/shm", 0o1777),
    ("/root", 0o700),
];

impl VfsConfig {
    /// A guest with the default scratch directories (`/tmp`, `/var/tmp`, `/run`, `/dev/shm`,
    /// `/root`) and no binds.
    #[must_use]
    pub fn new(sysroot: impl Into<PathBuf>) -> Self {
        VfsConfig {
            sysroot: sysroot.into(),
            scratch: SCRATCH.iter().map(|(path, _)| path.as_bytes().to_vec()).collect(),
            binds: Vec::new(),
        }
    }
}

/// Why the guest's file system cannot be set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The sysroot or a bind cannot be opened.
    #[error("cannot open {what} {}: {error}", path.display())]
    Open {
        /// `sysroot` or `--bind`.
        what: &'static str,
        /// The host path.
        path: PathBuf,
        /// The host's error.
        error: std::io::Error,
    },
    /// The sysroot is not a directory.
    #[error("sysroot {} is not a directory", path.display())]
    NotDirectory {
        /// The host path.
        path: PathBuf,
    },
    /// A bind's host object is neither a directory nor a regular file.
    #[error("--bind {}: only directories and regular files can be bound", path.display())]
    BadBind {
        /// The host path.
        path: PathBuf,
    },
    /// A bind's host object belongs to the host's kernel, not to its user.
    #[error(
        "--bind {}: shows the host's kernel (proc, sysfs or the like), which the guest must not see; \
         bind a directory of files", path.display()
    )]
    KernelBind {
        /// The host path.
        path: PathBuf,
    },
    /// A guest path of a bind or scratch directory cannot be a mount point.
    #[error("--bind: guest path {path:?} must be absolute, without `..` and not `/`: {reason}")]
    BadGuestPath {
        /// The guest path.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The guest's memory is too small for the first directories.
    #[error("--memory is too small to set up the guest's files; give more")]
    Memory,
    /// The private directory cannot be made.
    #[error("cannot make a private directory in {} (set TMPDIR to a writable one): {error}", path.display())]
    Scratch {
        /// The host's directory for temporary files.
        path: PathBuf,
        /// The host's error.
        error: std::io::Error,
    },
    /// The host has no `/proc`, or no `openat2`.
    #[error("{what} is needed to confine the guest's file access: {error}")]
    Host {
        /// What is missing.
        what: &'static str,
        /// The host's error.
        error: std::io::Error,
    },
}
