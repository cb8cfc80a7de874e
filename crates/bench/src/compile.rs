//! Builds the driver, once, with the distribution's own riscv64 compiler running in the simulator.
//!
//! So nothing but apt is needed to set up, and the driver is the same to the last byte on every host. The
//! compiler's sysroot is a separate one: what is measured stays free of it.

use crate::pool;
use crate::sweep::digest;
use anyhow::{Context, Result, bail};
use capvec_linux::fs::Bind;
use capvec_linux::{Input, Options, Output};
use capvec_sysroot::{Manifest, Origin, Request, Store};
use capvec_timing::Core;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// File name of the built driver.
pub const PROGRAM: &str = "driver";
/// File with the SHA-256 of the built driver, so that damage is found and mended.
const DIGEST: &str = "driver.sha256";
/// Packages of the compiler's sysroot.
const PACKAGES: [&str; 3] = ["gcc", "libc6-dev", "libssl-dev"];
/// Suffix of the compiler's sysroot.
const SUFFIX: &str = "build";
const FLAGS: [&str; 3] = ["-O2", "-Wall", "-Werror"];

/// The driver's sources, as files of the guest.
const SOURCES: [(&str, &str); 18] = [
    ("driver.h", include_str!("../driver/driver.h")),
    ("main.c", include_str!("../driver/main.c")),
    ("group.c", include_str!("../driver/group.c")),
    ("random.c", include_str!("../driver/random.c")),
    ("cipher.c", include_str!("../driver/cipher.c")),
    ("aead.c", include_str!("../driver/aead.c")),
    ("setup.c", include_str!("../driver/setup.c")),
    ("digest.c", include_str!("../driver/digest.c")),
    ("mac.c", include_str!("../driver/mac.c")),
    ("key.c", include_str!("../driver/key.c")),
    ("signature.c", include_str!("../driver/signature.c")),
    ("agree.c", include_str!("../driver/agree.c")),
    ("probe.c", include_str!("../driver/probe.c")),
    ("kat.h", include_str!("../driver/kat.h")),
    ("kat.c", include_str!("../driver/kat.c")),
    ("kat_cipher.c", include_str!("../driver/kat_cipher.c")),
    ("kat_hash.c", include_str!("../driver/kat_hash.c")),
    ("kat_pkey.c", include_str!("../driver/kat_pkey.c")),
];

/// A built driver.
pub struct Driver {
    /// Host directory that holds it.
    pub dir: PathBuf,
    /// Digest of its sources, flags and compiler.
    pub id: String,
}

/// The driver for `sysroot`, built unless it is there.
pub fn ensure(store: &Store, sysroot: &str, progress: &mut dyn FnMut(&str)) -> Result<Driver> {
    let mut request = Request {
        name: Some(format!("{sysroot}-{SUFFIX}")),
        packages: PACKAGES.map(String::from).to_vec(),
        ..Request::default()
    };
    // A registered directory names no suite: then the defaults.
    if let Origin::Apt { suite, arch, .. } = store.get(sysroot)?.manifest.origin {
        request.suite = Some(suite);
        request.arch = Some(arch);
    }
    let compiler = store.add(&request, &mut |p| progress(&p.to_string()))?;
    let id = identity(&compiler.manifest);
    let dir = store.home().join("drivers").join(&id[..16]);
    if !is_whole(&dir) {
        let fail = || format!("removing the damaged driver in {}", dir.display());
        if dir.exists() {
            std::fs::remove_dir_all(&dir).with_context(fail)?;
        }
        progress("compiling the driver (the distribution's gcc, in the simulator)");
        build(&compiler.root, &dir)?;
    }
    Ok(Driver { dir, id })
}

/// Whether the driver is there, as it was built.
fn is_whole(dir: &Path) -> bool {
    let noted = std::fs::read_to_string(dir.join(DIGEST)).ok();
    noted.is_some() && noted == digest(&dir.join(PROGRAM)).ok()
}

fn identity(compiler: &Manifest) -> String {
    let mut hash = Sha256::new();
    for (file, text) in SOURCES {
        hash.update(format!("{file}\n{text}\n"));
    }
    hash.update(FLAGS.join(" "));
    for p in &compiler.packages {
        hash.update(format!("{} {}\n", p.name, p.sha256));
    }
    hex::encode(hash.finalize())
}

/// Compiles into a temporary neighbour of `dir` and renames: an interrupted build leaves nothing there.
fn build(root: &Path, dir: &Path) -> Result<()> {
    let parent = dir.parent().context("the driver lies in the store")?;
    let fail = || format!("building the driver in {}", parent.display());
    std::fs::create_dir_all(parent).with_context(fail)?;
    let work = tempfile::tempdir_in(parent).with_context(fail)?;
    for (file, text) in SOURCES {
        std::fs::write(work.path().join(file), text).with_context(fail)?;
    }
    compile(root, work.path())?;
    std::fs::write(work.path().join(DIGEST), digest(&work.path().join(PROGRAM))?)
        .with_context(fail)?;
    let done = work.keep();
    match std::fs::rename(&done, dir) {
        Ok(()) => Ok(()),
        // Another run was faster: its driver is the same.
        Err(_) if is_whole(dir) => Ok(std::fs::remove_dir_all(&done)?),
        Err(e) => Err(e).with_context(fail),
    }
}

/// Every unit on its own, on all processors, and the link.
fn compile(root: &Path, work: &Path) -> Result<()> {
    let units: Vec<&str> = SOURCES.iter().map(|s| s.0).filter(|s| s.ends_with(".c")).collect();
    pool::each(&units, |unit| gcc(root, work, &["-c", unit]))?;
    let objects: Vec<String> = units.iter().map(|u| u.replace(".c", ".o")).collect();
    let mut link: Vec<&str> = objects.iter().map(String::as_str).collect();
    link.extend(["-o", PROGRAM, "-lcrypto"]);
    gcc(root, work, &link)
}

fn gcc(root: &Path, work: &Path, args: &[&str]) -> Result<()> {
    let argv = ["gcc"].iter().chain(&FLAGS).chain(args).map(|a| a.to_string());
    let core = Core::load("ideal")?;
    let argv = argv.map(String::into_bytes).collect();
    let exit = crate::run::confined(&core, || {
        let mut options = Options::new(root, argv, Arc::new(core.hart(core.isa)));
        options.binds.push(Bind { host: work.into(), guest: b"/work".to_vec(), writable: true });
        options.cwd = b"/work".to_vec();
        options.stdin = Input::Bytes(Vec::new());
        options.stdout = Output::Capture;
        options.stderr = Output::Capture;
        options
    })?;
    if exit.status.code() != 0 {
        let text = String::from_utf8_lossy(&exit.stderr);
        bail!("compiling the driver failed with status {}:\n{}", exit.status.code(), text.trim());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_or_unfinished_driver_is_not_whole() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name| dir.path().join(name);
        assert!(!is_whole(dir.path()));
        std::fs::write(at(PROGRAM), "program").unwrap();
        assert!(!is_whole(dir.path()), "built before digests were noted");
        std::fs::write(at(DIGEST), digest(&at(PROGRAM)).unwrap()).unwrap();
        assert!(is_whole(dir.path()));
        std::fs::write(at(PROGRAM), "progra").unwrap();
        assert!(!is_whole(dir.path()));
    }
}
