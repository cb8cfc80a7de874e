//! Builds this crate's programs with the distribution's riscv64 compiler in the simulator, as `bench` builds its
//! drivers.

use crate::debian;
use crate::rows::PROGRAMS;
use anyhow::{Context, bail};
use std::path::Path;
use std::process::Command;

/// The compiler's sysroot, shared with the drivers.
const SYSROOT: &str = "trixie-riscv64-build";

/// Builds all programs in the directory.
///
/// # Errors
/// The compiler is missing or fails.
pub fn programs(capvec: &Path, dir: &Path) -> anyhow::Result<()> {
    debian::riscv64(SYSROOT, &["gcc", "libc6-dev"])?;
    for program in PROGRAMS {
        let source = format!("{}.c", program.name);
        std::fs::write(dir.join(&source), program.source).context("writing a source")?;
        let output = Command::new(capvec)
            .args(["run", "--core", "ideal", "--sysroot", SYSROOT, "--no-cwd", "--bind"])
            .arg(format!("{}:/w:rw", dir.display()))
            .args(["--", "gcc", "-O2", "-Wall", "-static", "-o"])
            .args([format!("/w/{}", program.name), format!("/w/{source}")])
            .output()
            .with_context(|| format!("running {}", capvec.display()))?;
        if !output.status.success() {
            bail!("gcc on {source}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    Ok(())
}
