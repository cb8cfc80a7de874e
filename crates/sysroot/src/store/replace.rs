//! Changes of the store, each in one step: scratch directories, replacement.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::Store;
use crate::error::{Error, Result};
use crate::manifest::Manifest;

impl Store {
    /// Deletes the remains of interrupted runs. Needs the lock, which ensures that nobody is working there.
    pub(crate) fn sweep(&self) -> Result<()> {
        let sysroots = self.sysroots();
        for entry in fs::read_dir(&sysroots).map_err(Error::io("read", &sysroots))? {
            let entry = entry.map_err(Error::io("read", &sysroots))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(".new-") || name.starts_with(".old-") {
                remove_tree(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Makes an empty directory next to the sysroots, in which `name` is built. Needs the lock.
    pub(crate) fn scratch(&self, name: &str) -> Result<PathBuf> {
        self.sweep()?;
        let new = self.sysroots().join(format!(".new-{name}"));
        fs::create_dir(&new).map_err(Error::io("create", &new))?;
        Ok(new)
    }

    /// Replaces sysroot `name` by the finished directory `new` in one step.
    pub(crate) fn place(&self, name: &str, new: &Path) -> Result<()> {
        let dir = self.dir(name);
        // The contents must be on disk before the name is.
        let opened = File::open(new).map_err(Error::io("open", new))?;
        sync(&opened).map_err(|error| Error::io("sync", new)(error.into()))?;
        if fs::symlink_metadata(&dir).is_err() {
            return fs::rename(new, &dir).map_err(Error::io("create", &dir));
        }
        match renameat_with(CWD, new, CWD, &dir, RenameFlags::EXCHANGE) {
            Ok(()) => remove_tree(new),
            // File systems without exchange: the sysroot is missing for a moment, but never incomplete.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                let old = self.sysroots().join(format!(".old-{name}"));
                fs::rename(&dir, &old).map_err(Error::io("replace", &dir))?;
                fs::rename(new, &dir).map_err(Error::io("replace", &dir))?;
                remove_tree(&old)
            }
            Err(error) => Err(Error::io("replace", &dir)(error.into())),
        }
    }

    /// Rewrites the manifest of a sysroot that exists. Needs the lock.
    pub(crate) fn write_manifest(&self, name: &str, manifest: &Manifest) -> Result<()> {
        manifest.write(&self.dir(name))
    }
}

/// Writes the whole file system to disk; on hosts without a call for that, only the directory.
fn sync(dir: &File) -> rustix::io::Result<()> {
    #[cfg(target_os = "linux")]
    return rustix::fs::syncfs(dir);
    #[cfg(not(target_os = "linux"))]
    return rustix::fs::fsync(dir);
}

pub(crate) fn remove_tree(path: &Path) -> Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    removed.map_err(|error: io::Error| Error::io("remove", path)(error))
}
