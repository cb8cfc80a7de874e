//! The private host directory that holds scratch mounts.

use std::cell::RefCell;
use std::os::fd::OwnedFd;

use rustix::fs::{self, AtFlags, CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

use crate::interface::SetupError;

/// The name of a private directory up to its random part, and the name of the lock file in it.
const PREFIX: &str = "capvec-";
const LOCK: &str = "capvec.lock";
/// The name of the lock file until it is locked.
const NEW: &str = "new";

/// A private host directory. It is removed at the end of the run with all that the guest has put there; if the run is
/// killed, by the next run.
pub(crate) struct PrivateDir {
    path: PathBuf,
    // `None` once it is removed.
    dir: RefCell<Option<TempDir>>,
    // Locked as long as this process lives, however it ends.
    _lock: OwnedFd,
}

impl PrivateDir {
    pub fn new() -> Result<PrivateDir, SetupError> {
        let parent = std::env::temp_dir();
        remove_stale(&parent);
        let make = || {
            let ours = std::fs::Permissions::from_mode(0o700);
            let new = tempfile::Builder::new().prefix(PREFIX).permissions(ours).tempdir_in(&parent);
            let dir = new?;
            // Locked before it gets its name, so that no other run takes it for a stale one.
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let (new, name) = (dir.path().join(NEW), dir.path().join(LOCK));
            let lock = fs::open(&new, flags, Mode::RUSR | Mode::WUSR)?;
            fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
            fs::rename(&new, &name)?;
            let path = dir.path().to_path_buf();
            Ok(PrivateDir { path, dir: RefCell::new(Some(dir)), _lock: lock })
        };
        make().map_err(|error| SetupError::Scratch { path: parent.clone(), error })
    }

    /// Makes and locates a subdirectory; the name is a number, never chosen by the guest.
    pub fn subdirectory(&self, number: u64) -> Result<OwnedFd, SetupError> {
        let path = self.path.join(number.to_string());
        let make = || {
            fs::mkdir(&path, Mode::RWXU)?;
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            fs::openat(CWD, &path, flags, Mode::empty())
        };
        make().map_err(|e| SetupError::Scratch { path: path.clone(), error: e.into() })
    }

    /// Removes it now, even if files in it are still open.
    pub fn remove(&self) {
        let Some(dir) = self.dir.take() else { return };
        // If something cannot be removed, `TempDir` tries again on drop.
        if let Ok(top) = fs::open(dir.path(), DIR, Mode::empty()) {
            let _ = clear(&top, LOCK);
        }
    }
}

/// Removes the private directories of runs that were killed: those of this user whose lock nobody holds.
fn remove_stale(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    let ours =
        |e: &std::fs::DirEntry| e.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
    for entry in entries.flatten().filter(ours) {
        // A directory that cannot be removed does no harm.
        let _ = remove_if_stale(&entry.path());
    }
}

fn remove_if_stale(path: &Path) -> rustix::io::Result<()> {
    let dir = fs::open(path, DIR, Mode::empty())?;
    let stat = fs::fstat(&dir)?;
    if stat.st_uid != rustix::process::geteuid().as_raw() || stat.st_mode & 0o077 != 0 {
        return Ok(());
    }
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let lock = match fs::openat(&dir, LOCK, flags, Mode::empty()) {
        Err(Errno::NOENT) => return remove_unlocked(path, &dir, stat.st_mtime),
        lock => lock?,
    };
    fs::flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
    // The lock file is removed last, so that the next run can resume an interrupted removal.
    clear(&dir, LOCK)?;
    fs::unlinkat(&dir, LOCK, AtFlags::empty())?;
    fs::rmdir(path)
}

/// Removes the directory of a run that ended before it had its lock, or while it removed the directory. A run that has
/// just started looks the same, so the directory must be old and otherwise empty.
fn remove_unlocked(path: &Path, dir: &OwnedFd, modified: i64) -> rustix::io::Result<()> {
    const OLD: u64 = 600;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let age = now.unwrap_or_default().as_secs().saturating_sub(modified.max(0) as u64);
    if age < OLD || names_in(dir)?.iter().any(|name| name.as_bytes() != NEW.as_bytes()) {
        return Ok(());
    }
    let _ = fs::unlinkat(dir, NEW, AtFlags::empty());
    fs::rmdir(path)
}

/// Empties a directory except for the file `kept`. The guest may have nested directories to any depth, and a recursive
/// removal would need a descriptor and stack for every level: subdirectories of a subdirectory are therefore moved up
/// before it is removed.
fn clear(top: &OwnedFd, kept: &str) -> rustix::io::Result<()> {
    let mut moved = 0_u64;
    loop {
        let mut names = names_in(top)?;
        names.retain(|name| name.as_bytes() != kept.as_bytes());
        if names.is_empty() {
            return Ok(());
        }
        for name in names {
            if fs::unlinkat(top, &name, AtFlags::empty()).is_ok() {
                continue;
            }
            // A guest may have taken the owner's rights away; without them an unprivileged
            // host user cannot remove the contents.
            fs::chmodat(top, &name, Mode::RWXU, AtFlags::empty())?;
            let dir = fs::openat(top, &name, DIR, Mode::empty())?;
            for child in names_in(&dir)? {
                if fs::unlinkat(&dir, &child, AtFlags::empty()).is_err()
                    && fs::unlinkat(&dir, &child, AtFlags::REMOVEDIR).is_err()
                {
                    // Moving a directory needs write permission in it: `..` changes.
                    fs::chmodat(&dir, &child, Mode::RWXU, AtFlags::empty())?;
                    fs::renameat(&dir, &child, top, format!("moved-{moved}"))?;
                    moved += 1;
                }
            }
            fs::unlinkat(top, &name, AtFlags::REMOVEDIR)?;
        }
    }
}

const DIR: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

fn names_in(dir: &OwnedFd) -> rustix::io::Result<Vec<std::ffi::CString>> {
    let mut names = Vec::new();
    for entry in fs::Dir::read_from(dir)? {
        let name = entry?.file_name().to_owned();
        if name.as_bytes() != b"." && name.as_bytes() != b".." {
            names.push(name);
        }
    }
    Ok(names)
}

impl Drop for PrivateDir {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_directories_of_dead_runs_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let make = |name: &str, inside: Option<&str>, old: bool| {
            let path = parent.path().join(name);
            std::fs::create_dir(&path).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
            if let Some(f) = inside {
                std::fs::write(path.join(f), "").unwrap();
            }
            let then = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
            if old {
                std::fs::File::open(&path).unwrap().set_modified(then).unwrap();
            }
            path
        };
        let gone = [
            make("capvec-1", None, true),
            make("capvec-2", Some(NEW), true),
            make("capvec-3", Some(LOCK), false),
        ];
        let stay = [
            make("capvec-4", None, false),
            make("capvec-5", Some("file"), true),
            make("other", None, true),
        ];
        remove_stale(parent.path());
        assert!(gone.iter().all(|p| !p.exists()) && stay.iter().all(|p| p.exists()));
    }
}
