//! What the guest's file system is made of.

use crate::interface::Bind;
use std::path::PathBuf;

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
