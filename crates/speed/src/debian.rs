//! Sysroots of Debian's packages for riscv64.

use anyhow::Context;
use capvec_sysroot::{Request, Store};
use std::path::PathBuf;

/// The root of the sysroot of this name with these packages, which is made if necessary.
///
/// # Errors
/// The packages cannot be fetched.
pub fn riscv64(name: &str, packages: &[&str]) -> anyhow::Result<PathBuf> {
    let request = Request {
        name: Some(name.to_owned()),
        suite: Some("trixie".to_owned()),
        arch: Some("riscv64".to_owned()),
        packages: packages.iter().map(|package| (*package).to_owned()).collect(),
        automatic: true,
        ..Request::default()
    };
    let store = Store::from_env()?;
    let sysroot = store.add(&request, &mut |p| eprintln!("{p}"));
    Ok(sysroot.with_context(|| format!("the sysroot {name}"))?.root)
}
