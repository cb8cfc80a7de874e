//! Programs and libraries that are scanned, not run.

use crate::file_verdict::{self, CALLS, Judged, NOT_FOUND, NOT_READ, UNRECOGNISED};
use crate::indirect_libraries::through;
use crate::processor::Processor;
use crate::tree::{library_dirs, read, resolve};
use anyhow::{Context, Result};
use capvec_binscan::{Report, ScanError, scan};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Where a system keeps programs, libraries and kernels, relative to its root.
pub const PROGRAMS: [&str; 6] =
    ["usr/bin", "usr/sbin", "usr/lib", "usr/libexec", "usr/local", "boot"];
/// Maximum number of files that one scan reads: several times the number in a kernel package.
const MOST: usize = 50_000;

/// What is found about a file.
pub type FileFinding = capvec_record::doctor::FileFinding<Report>;

fn finding(
    path: &Path,
    needed_by: Option<&str>,
    scan: Report,
    processor: &Processor,
) -> FileFinding {
    let Judged { verdict, slower, why, remedy, lacking } = file_verdict::judge(&scan, processor);
    FileFinding {
        path: path.display().to_string(),
        named: false,
        needed_by: needed_by.map(String::from),
        through: Vec::new(),
        verdict: verdict.into(),
        slower,
        why,
        remedy,
        lacking: lacking.into_iter().map(String::from).collect(),
        scan: Some(scan),
    }
}

fn without(path: String, by: Option<&str>, verdict: &'static str, why: String) -> FileFinding {
    FileFinding {
        path,
        named: false,
        needed_by: by.map(String::from),
        through: Vec::new(),
        verdict: verdict.into(),
        slower: false,
        why,
        remedy: None,
        lacking: Vec::new(),
        scan: None,
    }
}

/// A file and the shared libraries that it needs, within a root. `path` is a path on the host; libraries are searched
/// for in the file's directory and in the root's library directories.
///
/// # Errors
/// The file cannot be read, or is not one that can be scanned.
pub fn file(path: &Path, root: &Path, processor: &Processor) -> Result<Vec<FileFinding>> {
    let name = || format!("--program {}", path.display());
    let report = scan(&read(path).with_context(name)?).with_context(name)?;
    let machine = report.machine;
    let mut queue: Vec<(String, String)> =
        report.needed.iter().map(|n| (n.clone(), path.display().to_string())).collect();
    let mut found = vec![FileFinding { named: true, ..finding(path, None, report, processor) }];
    let mut libraries: BTreeMap<String, Report> = BTreeMap::new();
    let mut seen: BTreeSet<String> = queue.iter().map(|(n, _)| n.clone()).collect();
    let dirs = library_dirs(root);
    let directory = path.parent().map(Path::to_path_buf).unwrap_or_default();
    while let Some((name, by)) = queue.pop() {
        let inside = dirs.iter().filter_map(|d| Some(root.join(resolve(root, &d.join(&name))?)));
        let mut places = inside.chain([directory.join(&name)]);
        // If libraries for several architectures are found, takes the one for the file's architecture.
        let place = places.find_map(|p| {
            let report = scan(&read(&p).ok()?).ok()?;
            (report.machine == machine).then_some((p, report))
        });
        let Some((place, report)) = place else {
            let why = format!("not for {} in {}", machine.name(), root.display());
            found.push(without(name, Some(&by), NOT_FOUND, why));
            continue;
        };
        for n in &report.needed {
            if seen.insert(n.clone()) && found.len() < MOST {
                queue.push((n.clone(), name.clone()));
            }
        }
        libraries.insert(name, report.clone());
        found.push(finding(&place, Some(&by), report, processor));
    }
    if let Some(named) = found.first_mut() {
        call_through(named, &libraries);
    }
    Ok(found)
}

/// A file without cryptography of its own may call a cryptographic library through another library.
fn call_through(named: &mut FileFinding, libraries: &BTreeMap<String, Report>) {
    let Some(scan) = named.scan.as_ref().filter(|_| named.verdict == UNRECOGNISED) else { return };
    let through = through(scan, libraries);
    if !through.is_empty() {
        named.verdict = CALLS.into();
        named.why = format!("{}; calls {}", named.why, through.join(", "));
        named.through = through;
    }
}

/// The scans of these files, by path, without duplicates through links. Files that are not programs are left out;
/// programs that cannot be read are named.
pub fn files(root: &Path, paths: &[PathBuf], processor: &Processor) -> Vec<FileFinding> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (i, path) in paths.iter().enumerate() {
        let Some(real) = resolve(root, path).filter(|r| seen.insert(r.clone())) else { continue };
        if seen.len() > MOST {
            let more = format!("{} and {} more", path.display(), paths.len() - i - 1);
            found.push(without(more, None, NOT_READ, format!("at most {MOST} files are read")));
            break;
        }
        found.extend(one(root, &real, processor));
    }
    found
}

fn one(root: &Path, path: &Path, processor: &Processor) -> Option<FileFinding> {
    let not_read = |why: String| Some(without(path.display().to_string(), None, NOT_READ, why));
    if path.starts_with("boot") {
        let name = path.file_name()?.to_string_lossy();
        let why = "a kernel image; code that is built into the kernel is not examined";
        return if name.starts_with("vmlinu") { not_read(why.into()) } else { None };
    }
    // Sockets and the like are not programs.
    if !root.join(path).is_file() {
        return None;
    }
    match read(&root.join(path)).map(|bytes| scan(&bytes)) {
        Ok(Ok(report)) => Some(finding(path, None, report, processor)),
        Ok(Err(ScanError::NotElf(_) | ScanError::Archive(_))) => None,
        Ok(Err(e)) => not_read(e.to_string()),
        Err(e) => not_read(format!("{e:#}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs that cannot be read are reported, and texts are not.
    #[test]
    fn unreadable_programs_are_reported() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for (path, bytes) in [
            ("usr/lib/a.ko.xz", &b"\xfd7zXZ\0damaged"[..]),
            ("usr/lib/b.so", b"\x7fELF, and no more"),
            ("usr/lib/text", b"text"),
            ("boot/vmlinuz-6.12", b"MZ"),
            ("boot/config-6.12", b"CONFIG_X=y"),
        ] {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let paths = ["a.ko.xz", "b.so", "text", "absent"].map(|n| Path::new("usr/lib").join(n));
        let boot = ["boot/vmlinuz-6.12", "boot/config-6.12"].map(PathBuf::from);
        let found = files(
            root,
            &[&paths[..], &boot].concat(),
            &Processor::Unknown(capvec_binscan::Machine::X86_64),
        );
        let names: Vec<&str> = found.iter().map(|f| f.path.as_str()).collect();
        assert_eq!(names, ["usr/lib/a.ko.xz", "usr/lib/b.so", "boot/vmlinuz-6.12"]);
        assert!(found.iter().all(|f| f.verdict == NOT_READ && !f.slower && !f.why.is_empty()));
    }
}
