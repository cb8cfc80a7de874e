//! `capvec doctor --program` and `--package`: files that are scanned, not run.

use crate::cmd::progress::spinner;
use crate::cmd::target::TargetFlags;
use crate::cmd::{Usage, say, usage};
use anyhow::Result;
use capvec_doctor::{Findings, PROGRAMS, Processor};
use capvec_record::Arch;
use capvec_sysroot::{Collect, Request, Store, check_package};
use capvec_targets::{TargetName, sysroot_for};
use capvec_text::escape;
use std::path::{Path, PathBuf};

/// Architecture of the scanned files.
pub fn arch(on: &TargetFlags) -> Result<Arch> {
    Ok(match &on.target {
        TargetName::Qemu(arch) => *arch,
        TargetName::Sim => Arch::Riscv64,
        TargetName::Native | TargetName::Ssh(_) => Arch::host()?,
    })
}

/// The location of a file.
struct Found {
    path: PathBuf,
    /// The root of the libraries that it needs.
    root: PathBuf,
}

/// Debian's sysroot of an architecture, or this machine's root.
fn sysroot(arch: Arch) -> Result<PathBuf> {
    // A sysroot that does not exist yet is not made just for scanning.
    let name = sysroot_for(arch);
    Ok(Store::from_env()?.get(&name).map_or(PathBuf::from("/"), |s| s.root))
}

/// Looks for the file in the target's system, then on this machine. A file for another architecture than the target's
/// is scanned with the libraries of that architecture.
fn find(on: &TargetFlags, path: &Path) -> Result<Found> {
    let arch = arch(on)?;
    let root = match (&on.target, &on.sysroot) {
        (TargetName::Native, None) => PathBuf::from("/"),
        (_, Some(name)) => Store::from_env()?.get(name)?.root,
        _ => sysroot(arch)?,
    };
    let inside = if path.is_absolute() { capvec_doctor::within(&root, path) } else { None };
    if let Some(path) = inside {
        return Ok(Found { path, root });
    }
    refuse_bare(path, &root)?;
    // The scan reports what is wrong with the file.
    let other = Arch::of_file(path).ok().flatten().filter(|own| *own != arch);
    let path = path.to_path_buf();
    let Some(own) = other else { return Ok(Found { path, root }) };
    if path.is_absolute() {
        say!(
            "--program {}: there is no such file in {}; scanning the file on this machine, which is for {}",
            escape::path(&path),
            escape::path(&root),
            own.name()
        );
    }
    let root = match Arch::host().is_ok_and(|host| host == own) {
        true => PathBuf::from("/"),
        false => sysroot(own)?,
    };
    Ok(Found { path, root })
}

/// Refuses a bare name, for which a shell would search PATH.
fn refuse_bare(path: &Path, root: &Path) -> Result<()> {
    if path.components().count() != 1 || path.exists() {
        return Ok(());
    }
    let usual = Path::new("/usr/bin").join(path);
    let what = match capvec_doctor::within(root, &usual) {
        Some(_) => {
            format!("there is no such file here; give its path, such as {}", escape::path(&usual))
        }
        None => "there is no such file here; give its path".into(),
    };
    Err(Usage(format!("--program {}: {what}", escape::path(path))).into())
}

/// Scans a file and the libraries that it needs. `path` is in the target's system, or on this machine if the target has no
/// such file.
pub fn program(on: &TargetFlags, path: &Path, processor: Processor) -> Result<Findings> {
    let Found { path, root } = find(on, path)?;
    let files = capvec_doctor::file(&path, &root, &processor).map_err(usage)?;
    Ok(Findings::of_files(files))
}

/// Size of scanned packages that are kept; the least recently used are removed first.
const KEPT: u64 = 512 << 20;

/// Scans the files of a package.
pub fn package(
    on: &TargetFlags,
    name: &str,
    processor: &Processor,
    quiet: bool,
) -> Result<Findings> {
    let root = unpacked(on, "--package", name, quiet)?;
    let mut paths = Vec::new();
    for top in PROGRAMS {
        walk(&root, Path::new(top), &mut paths);
    }
    paths.sort();
    let files = capvec_doctor::files(&root, &paths, processor);
    if files.is_empty() {
        let what =
            "neither the package nor its dependencies contain a program, library or kernel module";
        return Err(Usage(format!("--package {name}: {what}")).into());
    }
    Ok(Findings::of_files(files))
}

/// The root of the tree with a package and its dependencies, fetched through apt.
pub fn unpacked(on: &TargetFlags, flag: &str, name: &str, quiet: bool) -> Result<PathBuf> {
    let arch = arch(on)?;
    check_package(name).map_err(|e| Usage(format!("{flag}: {e}")))?;
    let bar = spinner(quiet);
    let request = Request {
        arch: Some(arch.debian().into()),
        ..Request::automatic(&format!("doctor-{name}-{}", arch.debian()), &[name])
    };
    let store = Store::from_env()?;
    let sysroot = store.add(&request, &mut |p| bar.set_message(p.to_string()))?;
    // Packages may be scanned again, so they are kept, within bounds.
    let what = Collect { keep: KEPT, dry_run: false, only: Some("doctor-") };
    store.collect(what, &mut |p| bar.set_message(p.to_string()))?;
    bar.finish_and_clear();
    Ok(sysroot.root)
}

/// Files below a directory of a root; links to directories are not followed.
fn walk(root: &Path, dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(root.join(dir)).into_iter().flatten().flatten() {
        let path = dir.join(entry.file_name());
        match entry.file_type() {
            Ok(t) if t.is_dir() => walk(root, &path, files),
            Ok(_) => files.push(path),
            Err(_) => {}
        }
    }
}
