//! Files within a root: symbolic links in a guest's tree never lead out of it.

use anyhow::{Context, Result, bail};
use std::path::{Component, Path, PathBuf};

/// Maximum number of links in a chain.
const LINKS: usize = 40;
/// Size of the largest file that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// Where a path within `root` leads: symbolic links are followed within it.
pub fn resolve(root: &Path, path: &Path) -> Option<PathBuf> {
    let mut rest: Vec<std::ffi::OsString> = Vec::new();
    let push = |rest: &mut Vec<_>, path: &Path| {
        for part in path.components().rev() {
            if matches!(part, Component::Normal(_) | Component::ParentDir) {
                rest.push(part.as_os_str().to_os_string());
            }
        }
    };
    push(&mut rest, path);
    let (mut at, mut links) = (PathBuf::new(), 0);
    while let Some(part) = rest.pop() {
        if part == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&part);
        let here = root.join(&next);
        if let Ok(to) = std::fs::read_link(&here) {
            links += 1;
            if links > LINKS {
                return None;
            }
            if to.is_absolute() {
                at = PathBuf::new();
            }
            push(&mut rest, &to);
            continue;
        }
        here.symlink_metadata().ok()?;
        at = next;
    }
    Some(at)
}

/// The file at a path within `root`, as a path on the host; `None` if it does not exist.
pub fn within(root: &Path, path: &Path) -> Option<PathBuf> {
    resolve(root, path).map(|p| root.join(p)).filter(|p| p.is_file())
}

/// Directories of shared libraries, relative to the root.
pub fn library_dirs(root: &Path) -> Vec<PathBuf> {
    let lib = root.join("usr/lib");
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    let mut dirs: Vec<PathBuf> = entries
        .filter(|e| e.file_name().to_string_lossy().contains("-linux-"))
        .map(|e| Path::new("usr/lib").join(e.file_name()))
        .collect();
    dirs.sort();
    dirs.extend(["usr/lib64", "usr/lib", "lib64", "lib", "usr/local/lib"].map(PathBuf::from));
    dirs
}

/// The bytes of a regular file.
///
/// # Errors
/// It is not a regular file, is too large, or cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let of = std::fs::metadata(path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => anyhow::anyhow!("there is no such file"),
        _ => e.into(),
    })?;
    if of.is_dir() {
        bail!("a directory; name a file in it")
    }
    if !of.is_file() {
        bail!("not a regular file")
    }
    if of.len() > LARGEST {
        bail!("{} MiB; at most {} MiB are read", of.len() >> 20, LARGEST >> 20)
    }
    std::fs::read(path).context("it cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A symbolic link never leads out of the root.
    #[test]
    fn links_stay_within_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join("usr/lib")).unwrap();
        std::fs::write(root.join("usr/lib/a"), "a").unwrap();
        symlink("/usr/lib", root.join("lib")).unwrap();
        symlink("../../../../../usr/lib/a", root.join("usr/lib/b")).unwrap();
        symlink("c", root.join("usr/lib/c")).unwrap();
        let at = |p: &str| resolve(root, Path::new(p));
        assert_eq!(at("/lib/a"), Some("usr/lib/a".into()));
        assert_eq!(at("lib/b"), Some("usr/lib/a".into()));
        assert_eq!(at("usr/lib/c"), None, "a loop");
        assert_eq!(at("usr/lib/d"), None);
    }

    #[test]
    fn errors_say_why_a_path_is_no_file() {
        let dir = tempfile::tempdir().unwrap();
        let why = |p: &Path| read(p).unwrap_err().to_string();
        assert!(why(dir.path()).contains("a directory"));
        assert!(why(&dir.path().join("x")).contains("no such file"));
        assert!(why(Path::new("/dev/zero")).contains("not a regular file"));
    }
}
