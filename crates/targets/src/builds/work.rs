//! Directories for builds in progress.

use anyhow::{Context, Result};
use std::path::Path;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const PREFIX: &str = ".new-";
/// No build takes this long. An older directory was left behind by a process that was killed.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// A directory in `home`, which is removed when it is dropped. First removes those of builds that were interrupted.
pub fn directory(home: &Path) -> Result<TempDir> {
    let fail = || format!("building in {}", home.display());
    std::fs::create_dir_all(home).with_context(fail)?;
    for entry in std::fs::read_dir(home).with_context(fail)?.flatten() {
        let changed = entry.metadata().and_then(|about| about.modified());
        let age = changed.ok().and_then(|at| SystemTime::now().duration_since(at).ok());
        let unfinished = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if unfinished && age.is_some_and(|age| age > STALE) {
            // One that cannot be removed does no harm.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    tempfile::Builder::new().prefix(PREFIX).tempdir_in(home).with_context(fail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, FileTimes};

    #[test]
    fn only_what_interrupted_builds_left_is_removed() {
        let home = tempfile::tempdir().unwrap();
        let long_ago = SystemTime::now() - 2 * STALE;
        for (name, old) in [(".new-old", true), (".new-now", false), ("finished", true)] {
            let dir = home.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            if old {
                let times = FileTimes::new().set_modified(long_ago);
                File::open(&dir).unwrap().set_times(times).unwrap();
            }
        }
        let work = directory(home.path()).unwrap();
        let mut left: Vec<_> =
            std::fs::read_dir(home.path()).unwrap().flatten().map(|e| e.path()).collect();
        left.sort();
        let mut expected = [".new-now", "finished"].map(|n| home.path().join(n)).to_vec();
        expected.push(work.path().into());
        expected.sort();
        assert_eq!(left, expected);
    }
}
