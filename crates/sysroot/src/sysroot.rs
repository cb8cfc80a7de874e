//! A complete sysroot.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::manifest::{Manifest, Origin};

/// A complete sysroot.
#[derive(Debug, Clone)]
pub struct Sysroot {
    /// Its name in the store.
    pub name: String,
    /// The directory that is the guest's `/`.
    pub root: PathBuf,
    /// Its packages and origin.
    pub manifest: Manifest,
}

impl Sysroot {
    /// Total length of its files; hard links count once.
    ///
    /// # Errors
    /// [`Error::Io`] if a directory cannot be read.
    pub fn size_bytes(&self) -> Result<u64> {
        let mut links = std::collections::HashSet::new();
        let mut directories = vec![self.root.clone()];
        let mut size = 0;
        while let Some(directory) = directories.pop() {
            let read = fs::read_dir(&directory).map_err(Error::io("read", &directory))?;
            for entry in read {
                let entry = entry.map_err(Error::io("read", &directory))?;
                let metadata = entry.metadata().map_err(Error::io("read", &directory))?;
                if metadata.is_dir() {
                    directories.push(entry.path());
                } else if metadata.nlink() < 2 || links.insert((metadata.dev(), metadata.ino())) {
                    size += metadata.len();
                }
            }
        }
        Ok(size)
    }

    /// Whether apt fetched it; a registered directory is the user's own.
    pub(crate) fn is_fetched(&self) -> bool {
        matches!(self.manifest.origin, Origin::Apt { .. })
    }

    /// The error for a sysroot that does not match the request.
    pub(crate) fn mismatch(&self, asked: String) -> Error {
        let is = match &self.manifest.origin {
            Origin::Apt { suite, arch, .. } => format!("is {suite} for {arch}"),
            Origin::Directory { path } => format!("is the directory {}", path.display()),
        };
        Error::Mismatch { name: self.name.clone(), is, asked }
    }
}
