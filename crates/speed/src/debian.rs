//! Sysroots of Debian's packages for riscv64.

use anyhow::Context;
use capvec_sysroot::{Request, Store};
use std::path::PathBuf;

/// The root of the sysroot of this name with these packages, which is made if necessary.
///
/// # Errors
/// The packages cannot be fetched.
pub fn riscv64(name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let request = Request::automatic(name, packages);
    let sysroot = Store::from_env()?.add(&request, &mut |p| eprintln!("{p}"));
    Ok(sysroot.with_context(|| format!("the sysroot {name}"))?.root)
}
