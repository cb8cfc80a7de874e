//! `capvec doctor --program` and `--package`: files that are looked at, not run.

use crate::cmd::setup::spinner;
use crate::cmd::target::TargetFlags;
use crate::cmd::{Usage, usage};
use anyhow::Result;
use capvec_bench::open::TargetName;
use capvec_doctor::{PROGRAMS, Shown};
use capvec_record::Arch;
use capvec_sysroot::{Collect, Store};
use std::path::{Path, PathBuf};

/// Architecture of what is scanned.
fn arch(on: &TargetFlags) -> Result<Arch> {
    Ok(match &on.target {
        TargetName::Qemu(arch) => *arch,
        TargetName::Sim => Arch::Riscv64,
        TargetName::Native | TargetName::Ssh(_) => Arch::host()?,
    })
}

/// A file and the libraries that it asks for. `path` is the target's, or this machine's if the target has no such file.
pub fn program(on: &TargetFlags, path: &Path) -> Result<Shown> {
    let root = match (&on.target, &on.sysroot) {
        (TargetName::Native, None) => PathBuf::from("/"),
        (_, Some(name)) => Store::from_env()?.get(name)?.root,
        _ => {
            let name = format!("trixie-{}", arch(on)?.debian());
            // What is not there yet is not needed to look at a file.
            Store::from_env()?.get(&name).map_or(PathBuf::from("/"), |s| s.root)
        }
    };
    let inside = if path.is_absolute() { capvec_doctor::within(&root, path) } else { None };
    let found = inside.unwrap_or_else(|| path.into());
    // A shell would look for it in PATH.
    let bare = path.components().count() == 1 && !found.exists();
    if bare {
        let usual = Path::new("/usr/bin").join(path);
        let what = match capvec_doctor::within(&root, &usual) {
            Some(_) => format!("there is no such file here; give its path, as {}", usual.display()),
            None => "there is no such file here; give its path".into(),
        };
        return Err(Usage(format!("--program {}: {what}", path.display())).into());
    }
    let files = capvec_doctor::file(&found, &root).map_err(usage)?;
    Ok(Shown { files, ..Shown::default() })
}

/// Bytes of scanned packages that are kept, least recently used first to go.
const KEPT: u64 = 512 << 20;

/// What a package contains.
pub fn package(on: &TargetFlags, name: &str, quiet: bool) -> Result<Shown> {
    let arch = arch(on)?;
    let bar = spinner(quiet);
    let request = capvec_sysroot::Request {
        name: Some(format!("doctor-{name}-{}", arch.debian())),
        arch: Some(arch.debian().into()),
        packages: vec![name.into()],
        automatic: true,
        ..capvec_sysroot::Request::default()
    };
    let store = Store::from_env()?;
    let sysroot = store.add(&request, &mut |p| bar.set_message(p.to_string()))?;
    // What was scanned before may be asked for again, but not without bounds.
    let what = Collect { keep: KEPT, dry_run: false, only: Some("doctor-") };
    store.collect(what, &mut |p| bar.set_message(p.to_string()))?;
    bar.finish_and_clear();
    let mut paths = Vec::new();
    for top in PROGRAMS {
        walk(&sysroot.root, Path::new(top), &mut paths);
    }
    paths.sort();
    let files = capvec_doctor::files(&sysroot.root, &paths);
    if files.is_empty() {
        let what = "there is no program, library or kernel module in it nor in what it depends on";
        return Err(Usage(format!("--package {name}: {what}")).into());
    }
    Ok(Shown { files, ..Shown::default() })
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
