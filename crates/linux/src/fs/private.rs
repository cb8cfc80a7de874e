//! The private host directory behind scratch mounts.

use std::os::fd::OwnedFd;

use rustix::fs::{self, AtFlags, CWD, Mode, OFlags};
use tempfile::TempDir;

use super::mount::SetupError;

/// A private host directory, removed at the end with all that the guest put there.
pub(crate) struct PrivateDir {
    dir: TempDir,
}

impl PrivateDir {
    pub fn new() -> Result<PrivateDir, SetupError> {
        match tempfile::Builder::new().prefix("capvec-").tempdir() {
            Ok(dir) => Ok(PrivateDir { dir }),
            Err(source) => Err(SetupError::Scratch { path: std::env::temp_dir(), source }),
        }
    }

    /// Makes and locates a subdirectory; the name is a number, never chosen by the guest.
    pub fn subdirectory(&self, number: u64, mode: u32) -> Result<OwnedFd, SetupError> {
        let path = self.dir.path().join(number.to_string());
        let make = || {
            fs::mkdir(&path, Mode::RWXU)?;
            fs::chmod(&path, Mode::from(mode))?;
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            fs::openat(CWD, &path, flags, Mode::empty())
        };
        make().map_err(|e| SetupError::Scratch { path: path.clone(), source: e.into() })
    }

    /// Empties the directory with bounded depth, whatever the guest built: subdirectories of a
    /// subdirectory are moved up before it is removed. A recursive removal would need a
    /// descriptor and stack for every level.
    fn clear(&self) -> rustix::io::Result<()> {
        let top = fs::open(self.dir.path(), DIR, Mode::empty())?;
        let mut moved = 0_u64;
        loop {
            let names = names_in(&top)?;
            if names.is_empty() {
                return Ok(());
            }
            for name in names {
                if fs::unlinkat(&top, &name, AtFlags::empty()).is_ok() {
                    continue;
                }
                // A guest may have taken the owner's rights away; without them an unprivileged
                // host user cannot remove the contents.
                fs::chmodat(&top, &name, Mode::RWXU, AtFlags::empty())?;
                let dir = fs::openat(&top, &name, DIR, Mode::empty())?;
                for child in names_in(&dir)? {
                    if fs::unlinkat(&dir, &child, AtFlags::empty()).is_err() {
                        // Moving a directory needs write permission in it: `..` changes.
                        fs::chmodat(&dir, &child, Mode::RWXU, AtFlags::empty())?;
                        fs::renameat(&dir, &child, &top, format!("moved-{moved}"))?;
                        moved += 1;
                    }
                }
                fs::unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
            }
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
        // What cannot be removed stays; the field's own drop then tries the plain way.
        let _ = self.clear();
    }
}
