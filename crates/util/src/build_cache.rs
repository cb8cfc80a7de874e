//! A cache of built files: each is in a directory of its own, with its digest.

use crate::digest;
use anyhow::{Context, Result};
use std::path::Path;

/// Whether `file` is in `dir`, undamaged since [`keep`] wrote it.
pub fn is_whole(dir: &Path, file: &str) -> bool {
    let noted = std::fs::read_to_string(dir.join(note(file))).ok();
    noted.is_some() && noted == digest(&dir.join(file)).ok()
}

/// Name of the file that holds the SHA-256 of another one, so that damage is found and repaired.
fn note(file: &str) -> String {
    format!("{file}.sha256")
}

/// Lets `make` write `file` into a temporary directory in `kept`, and renames that to `dir`: an interrupted build
/// leaves nothing there. A damaged build in `dir` is replaced; an undamaged one, which another process wrote meanwhile, stays.
///
/// # Errors
/// Of `make`, and of the file system; both name the directory.
pub fn keep(
    kept: &Path,
    dir: &Path,
    file: &str,
    make: impl FnOnce(&Path) -> Result<()>,
) -> Result<()> {
    let fail = || format!("building in {}", kept.display());
    std::fs::create_dir_all(kept).with_context(fail)?;
    let work = tempfile::tempdir_in(kept).with_context(fail)?;
    make(work.path()).with_context(fail)?;
    std::fs::write(work.path().join(note(file)), digest(&work.path().join(file))?)
        .with_context(fail)?;
    if dir.exists() && !is_whole(dir, file) {
        let fail = || format!("removing the damaged build in {}", dir.display());
        std::fs::remove_dir_all(dir).with_context(fail)?;
    }
    let done = work.keep();
    match std::fs::rename(&done, dir) {
        Ok(()) => Ok(()),
        // Another process was faster: its result is the same.
        Err(_) if is_whole(dir, file) => Ok(std::fs::remove_dir_all(&done)?),
        Err(e) => Err(e).with_context(fail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "driver";

    #[test]
    fn a_damaged_or_unfinished_build_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name| dir.path().join(name);
        let whole = || is_whole(dir.path(), PROGRAM);
        assert!(!whole());
        std::fs::write(at(PROGRAM), "program").unwrap();
        assert!(!whole(), "not noted");
        std::fs::write(at("driver.sha256"), digest(&at(PROGRAM)).unwrap()).unwrap();
        assert!(whole());
        std::fs::write(at(PROGRAM), "progra").unwrap();
        assert!(!whole());
    }
}
