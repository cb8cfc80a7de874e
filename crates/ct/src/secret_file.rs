//! Files whose contents are secret.

use std::path::{Path, PathBuf};

/// A file whose contents are secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretFile {
    /// Its absolute path, as the user gave it.
    pub path: PathBuf,
    /// What the kernel calls it: its path without symbolic links, or a name such as `pipe:[2]`.
    pub label: PathBuf,
}

impl From<PathBuf> for SecretFile {
    fn from(path: PathBuf) -> SecretFile {
        SecretFile { label: path.clone(), path }
    }
}

impl SecretFile {
    /// Finds its label; `link` returns the target of a symbolic link.
    pub fn follow_links(&mut self, link: &dyn Fn(&Path) -> Option<PathBuf>) {
        self.label = without_links(&self.path, link);
    }
}

/// Maximum number of symbolic links on a path, as on Linux.
const MAX_LINKS: u32 = 40;

/// The path without symbolic links: `link` returns the target of one.
fn without_links(path: &Path, link: &dyn Fn(&Path) -> Option<PathBuf>) -> PathBuf {
    let (mut all, mut links) = (PathBuf::from("/"), 0);
    let parts = |path: &Path| -> Vec<PathBuf> {
        path.components().rev().map(|part| PathBuf::from(part.as_os_str())).collect()
    };
    let mut rest = parts(path);
    while let Some(part) = rest.pop() {
        match part.to_str() {
            Some("/") => all = "/".into(),
            Some(".") => {}
            Some("..") => {
                all.pop();
            }
            _ => match link(&all.join(&part)) {
                Some(target) if links < MAX_LINKS => {
                    links += 1;
                    // What /proc/self/fd/0 links to need not be a path.
                    if all.ends_with("fd") && all.starts_with("/proc") && target.is_relative() {
                        return target;
                    }
                    rest.extend(parts(&target));
                }
                _ => all.push(part),
            },
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed() {
        let link = |path: &Path| {
            let target = match path.to_str()? {
                "/dev/stdin" => "/proc/self/fd/0",
                "/proc/self" => "100",
                "/proc/100/fd/0" => "pipe:[7]",
                "/work/link" => "../keys/key",
                "/keys" => "/other",
                "/loop" => "loop",
                _ => return None,
            };
            Some(PathBuf::from(target))
        };
        for (path, expected) in [
            ("/work/link", "/other/key"),
            ("/work/key", "/work/key"),
            ("/dev/stdin", "pipe:[7]"),
            ("/loop", "/loop"),
        ] {
            assert_eq!(without_links(Path::new(path), &link), Path::new(expected), "{path}");
        }
    }
}
