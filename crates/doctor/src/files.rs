//! Programs and libraries that are scanned, not run.

use anyhow::{Context, Result};
use capvec_binscan::{Family, Linkage, Machine, Report, scan};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Where a system keeps programs and libraries, below its root.
pub const PROGRAMS: [&str; 4] = ["usr/bin", "usr/sbin", "usr/lib", "usr/libexec"];
/// Most files that one scan reads.
const MOST: usize = 2000;
/// Most links that lead from one to another.
const LINKS: usize = 40;

/// What is said of a file.
#[derive(Clone, Debug, Serialize)]
pub struct FileFinding {
    /// Path within the root.
    pub path: String,
    /// The file that asks for it, if it was found by that.
    pub needed_by: Option<String>,
    /// `accelerated`, `not built`, `no cryptography`, or `not found`.
    pub verdict: &'static str,
    /// Whether it is slower than it could be.
    pub slower: bool,
    /// Why, in short.
    pub why: String,
    /// What to do.
    pub remedy: Option<String>,
    /// What is in it; `None` if it was not found.
    pub scan: Option<Report>,
}

/// Whether an architecture has instructions for cryptography that are looked for.
fn is_known(machine: Machine) -> bool {
    machine != Machine::Other
}

fn names(scan: &Report) -> String {
    let one = |l: &capvec_binscan::Library| format!("{} {}", l.name, l.version).trim().to_string();
    let mut all: Vec<String> = scan.libraries.iter().map(one).collect();
    if all.is_empty() {
        all = scan.constants.iter().map(|c| c.what.to_string()).collect();
    }
    all.join(", ")
}

/// Judges a scan.
fn judge(scan: &Report) -> (&'static str, bool, String, Option<String>) {
    if !scan.has_cryptography() {
        return ("no cryptography", false, String::new(), None);
    }
    if !is_known(scan.machine) {
        return ("not looked at", false, "its architecture has no decoder here".into(), None);
    }
    if scan.is_accelerated() {
        let families = Family::OWN.iter().filter(|f| scan.family(**f) > 0).map(|f| f.name());
        let families: Vec<&str> = families.collect();
        return ("accelerated", false, format!("code for {}", families.join(", ")), None);
    }
    let go = scan.libraries.iter().any(|l| l.name.starts_with("Go "));
    let rust = scan.libraries.iter().any(|l| l.name.starts_with("RustCrypto"));
    let remedy = if go {
        "Go's own code is all that there is for this architecture: have another program do the bulk (a TLS proxy)"
    } else if rust {
        "build with target features of the processor (-C target-feature), or with aws-lc-rs or OpenSSL instead"
    } else if scan.linkage == Linkage::Shared {
        "install or build a version that has assembly for this architecture"
    } else {
        "link it with a library that has code for this architecture (OpenSSL 3.5), shared, so that it can be replaced"
    };
    let machine = scan.machine.name();
    let why = format!("no instruction of {machine} for cryptography beside {}", names(scan));
    ("not built", true, why, Some(remedy.into()))
}

fn finding(path: &Path, needed_by: Option<&str>, scan: Report) -> FileFinding {
    let (verdict, slower, why, remedy) = judge(&scan);
    let path = path.display().to_string();
    let needed_by = needed_by.map(String::from);
    FileFinding { path, needed_by, verdict, slower, why, remedy, scan: Some(scan) }
}

/// Where a path within `root` leads: links of a guest's tree are followed within it.
fn resolve(root: &Path, path: &Path) -> Option<PathBuf> {
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

/// The file at a path within `root`, as a path of the host; `None` if there is none.
pub fn within(root: &Path, path: &Path) -> Option<PathBuf> {
    resolve(root, path).map(|p| root.join(p)).filter(|p| p.is_file())
}

/// Directories of a system that shared libraries are in, below its root.
fn library_dirs(root: &Path) -> Vec<PathBuf> {
    let lib = root.join("usr/lib");
    let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
    let mut dirs: Vec<PathBuf> = entries
        .filter(|e| e.file_name().to_string_lossy().contains("-linux-"))
        .map(|e| Path::new("usr/lib").join(e.file_name()))
        .collect();
    dirs.sort();
    dirs.extend(["usr/lib64", "usr/lib", "lib64", "lib"].map(PathBuf::from));
    dirs
}

/// A file and the shared libraries that it asks for, within a root. The path is that of the host; what it needs is looked
/// for beside it, and in the root's directories of libraries.
///
/// # Errors
/// The file cannot be read or is no ELF file.
pub fn file(path: &Path, root: &Path) -> Result<Vec<FileFinding>> {
    let name = || format!("--program {}: name an ELF file that the target has", path.display());
    let report = scan(&std::fs::read(path).with_context(name)?).with_context(name)?;
    let machine = report.machine;
    let mut queue: Vec<(String, String)> =
        report.needed.iter().map(|n| (n.clone(), path.display().to_string())).collect();
    let mut found = vec![finding(path, None, report)];
    let mut seen: BTreeSet<String> = queue.iter().map(|(n, _)| n.clone()).collect();
    let dirs = library_dirs(root);
    let beside = path.parent().map(Path::to_path_buf).unwrap_or_default();
    while let Some((name, by)) = queue.pop() {
        let inside = dirs.iter().filter_map(|d| Some(root.join(resolve(root, &d.join(&name))?)));
        let mut places = inside.chain([beside.join(&name)]);
        // Of several architectures' libraries the file's own is meant.
        let place = places.find_map(|p| {
            let report = scan(&std::fs::read(&p).ok()?).ok()?;
            (report.machine == machine).then_some((p, report))
        });
        let Some((place, report)) = place else {
            found.push(absent(&name, &by, root));
            continue;
        };
        for n in &report.needed {
            if seen.insert(n.clone()) && found.len() < MOST {
                queue.push((n.clone(), name.clone()));
            }
        }
        found.push(finding(&place, Some(&by), report));
    }
    Ok(found)
}

fn absent(name: &str, by: &str, root: &Path) -> FileFinding {
    FileFinding {
        path: name.into(),
        needed_by: Some(by.into()),
        verdict: "not found",
        slower: false,
        why: format!("not in {}", root.display()),
        remedy: None,
        scan: None,
    }
}

/// ELF files among these, by path, each once however it is linked; others are left out.
pub fn files(root: &Path, paths: &[PathBuf]) -> Vec<FileFinding> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for path in paths {
        let Some(real) = resolve(root, path).filter(|r| seen.insert(r.clone())) else { continue };
        if seen.len() > MOST {
            break;
        }
        let Ok(bytes) = std::fs::read(root.join(&real)) else { continue };
        if let Ok(report) = scan(&bytes) {
            found.push(finding(&real, None, report));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A link of a guest's tree never leads out of it.
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
}
