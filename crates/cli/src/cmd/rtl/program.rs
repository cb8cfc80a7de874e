//! The program that the core runs: `crypto/examples/cycles`.

use anyhow::{Context, Result, bail};
use capvec_bare::Image;
use capvec_record::Arch;
use capvec_sysroot::Store;
use capvec_targets::backend::debian_toolchain;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program, compiled by the cross compiler on PATH, or else Debian's.
pub fn compiled(root: &Path, store: &Store, progress: &mut dyn FnMut(&str)) -> Result<Image> {
    const ON_PATH: &str = "riscv64-linux-gnu-gcc";
    let version = Command::new(ON_PATH).arg("--version").stdin(Stdio::null()).output();
    let compiler: PathBuf = match version {
        Ok(output) if output.status.success() => ON_PATH.into(),
        _ => debian_toolchain(store, Arch::Riscv64, progress)?.bin.join("gcc"),
    };
    progress("compiling libcapvec");
    // make rebuilds only what has changed, so the files stay in a directory of this checkout.
    let build = root.join("target/rtl-cycles");
    let mut make = Command::new("make");
    make.current_dir(root.join("crypto/examples/cycles")).stdin(Stdio::null());
    make.args(["-s".into(), format!("CC={}", compiler.display())]);
    make.arg(format!("BUILD={}", build.display()));
    let output = make.output().context("running make; on Debian: apt install make")?;
    if !output.status.success() {
        bail!("compiling libcapvec: {}", String::from_utf8_lossy(&output.stderr));
    }
    let file = build.join("cycles");
    let bytes = std::fs::read(&file).with_context(|| file.display().to_string())?;
    Ok(Image::parse(&bytes)?)
}
