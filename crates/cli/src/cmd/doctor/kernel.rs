//! `capvec doctor --kernel`: where a kernel's configuration comes from.

use super::scan::unpacked;
use crate::cmd::target::TargetFlags;
use crate::cmd::{Usage, usage};
use anyhow::{Context, Result};
use capvec_doctor::Findings;
use capvec_targets::TargetName;
use capvec_targets::backend::copy_kernel;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

/// Size of the largest configuration that is read from a package; Debian's have some 300 KiB.
const LARGEST: u64 = 16 << 20;

/// Examines the kernel of a system, of a configuration file, or of a package.
pub fn examine(on: &TargetFlags, what: &Path, quiet: bool) -> Result<Findings> {
    let flag = |e: anyhow::Error| usage(e.context(format!("--kernel {}", what.display())));
    if let TargetName::Ssh(host) = &on.target {
        return on_board(host, what);
    }
    if what.is_dir() {
        return capvec_doctor::kernel_of_root(what).map_err(flag);
    }
    if what.extension().is_some_and(|e| e == "deb") {
        let bytes = from_deb(what).map_err(flag)?;
        return capvec_doctor::kernel_of_bytes(&what.display().to_string(), &bytes).map_err(flag);
    }
    let is_name = what.components().count() == 1 && !what.exists();
    if let Some(name) = what.to_str().filter(|_| is_name) {
        let root = unpacked(on, "--kernel", name, quiet)?;
        return capvec_doctor::kernel_of_root(&root).map_err(flag);
    }
    capvec_doctor::kernel_of_config(what).map_err(flag)
}

/// Examines the kernel that runs on a board, whose root this is there.
fn on_board(host: &str, root: &Path) -> Result<Findings> {
    if !root.is_absolute() {
        let what = format!(
            "--kernel {}: with --target ssh:{host}, name the root of the board's system, /",
            root.display()
        );
        return Err(Usage(what).into());
    }
    let copy = tempfile::tempdir()?;
    copy_kernel(host, root, copy.path())?;
    let shown = format!("ssh:{host}:{}", root.display());
    capvec_doctor::kernel_of_copy(copy.path(), &shown).map_err(usage)
}

/// The configuration in a kernel package, without unpacking the rest.
fn from_deb(path: &Path) -> Result<Vec<u8>> {
    let mut package = Command::new("dpkg-deb")
        .arg("--fsys-tarfile")
        .arg(path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("dpkg-deb cannot be run")?;
    let tar = package.stdout.take().context("dpkg-deb has no output")?;
    let mut extract = Command::new("tar")
        .args(["-xO", "--wildcards", "./boot/config-*"])
        .stdin(tar)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("tar cannot be run")?;
    let mut bytes = Vec::new();
    let out = extract.stdout.take().context("tar has no output")?;
    let read = out.take(LARGEST + 1).read_to_end(&mut bytes);
    let _ = (extract.wait(), package.wait());
    read.context("the package cannot be read")?;
    if bytes.is_empty() || bytes.len() as u64 > LARGEST {
        let what =
            "not a Debian package with boot/config-RELEASE; Debian's linux-image-RELEASE is one";
        return Err(Usage(what.into()).into());
    }
    Ok(bytes)
}
