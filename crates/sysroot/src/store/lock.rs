//! The lock of the store: one change at a time.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::Store;
use crate::error::{Error, Result};
use crate::progress::Progress;

/// Holds the store's lock until dropped.
pub(crate) struct Lock(#[expect(dead_code, reason = "closing the file releases the lock")] File);

impl Store {
    /// Takes the store's lock, waiting for its current holder.
    pub(crate) fn lock(&self, progress: &mut dyn FnMut(&Progress)) -> Result<Lock> {
        if let Some(lock) = self.try_lock()? {
            return Ok(lock);
        }
        progress(&Progress::Waiting);
        let (path, file) = self.lock_file()?;
        loop {
            match flock(&file, FlockOperation::LockExclusive) {
                Ok(()) => return Ok(Lock(file)),
                Err(Errno::INTR) => {}
                Err(error) => return Err(Error::io("lock", &path)(error.into())),
            }
        }
    }

    /// Takes the store's lock unless another holds it.
    pub(crate) fn try_lock(&self) -> Result<Option<Lock>> {
        let (path, file) = self.lock_file()?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(Lock(file))),
            Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(None),
            Err(error) => Err(Error::io("lock", &path)(error.into())),
        }
    }

    fn lock_file(&self) -> Result<(PathBuf, File)> {
        let sysroots = self.sysroots();
        let unwritable = |path: &Path, error| Error::Unwritable { path: path.to_path_buf(), error };
        fs::create_dir_all(&sysroots).map_err(|error| unwritable(&sysroots, error))?;
        let path = self.home.join("lock");
        let mut options = fs::OpenOptions::new();
        let file = options.create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| unwritable(&path, error))?;
        Ok((path, file))
    }
}
