//! Why the guest's file system cannot be set up.

use std::path::PathBuf;
use thiserror::Error;

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
