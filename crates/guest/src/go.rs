//! Go's crypto packages as a shared library, compiled by the distribution's Go in the simulator.

use crate::part::Source;
use crate::tools::{self, Tools};
use anyhow::{Context, Result, bail};
use capvec_linux::fs::Bind;
use capvec_util::build_cache::{is_whole, keep};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// File name of the library, next to the driver that loads it.
pub(crate) const LIBRARY: &str = "gocrypto.so";
/// Its source. The unit of C next to it calls it.
const SOURCE: Source = ("gocrypto.go", include_str!("../driver/gocrypto/gocrypto.go"));
const MODULE: Source = ("go.mod", "module capvec\n\ngo 1.24\n");
const GO: &str = "/usr/lib/go/bin/go";
/// The paths of the build and the version of a checkout are not put into the library.
const ARGUMENTS: [&str; 7] = [
    "build",
    "-trimpath",
    "-buildvcs=false",
    "-buildmode=c-shared",
    "-ldflags=-s -w",
    "-o",
    LIBRARY,
];
/// No network, and all that Go writes is in the directory of the build.
const ENVIRONMENT: [&str; 8] = [
    "PATH=/usr/bin",
    "HOME=/work",
    "GOCACHE=/work/cache",
    "GOTMPDIR=/work",
    "GOPROXY=off",
    "GOTOOLCHAIN=local",
    "GOTELEMETRY=off",
    "CGO_ENABLED=1",
];

/// What the library depends on.
pub(crate) fn id(tools: Option<&Tools>) -> String {
    let compiler = tools.map_or("", |t| &t.id);
    let how = [&ARGUMENTS[..], &ENVIRONMENT].concat().join(" ");
    let text = [SOURCE, MODULE].map(|(_, text)| text).concat();
    hex::encode(Sha256::digest(format!("{text}\n{how}\n{compiler}")))
}

/// The library in a folder of `kept`, compiled if necessary.
pub(crate) fn ensure(
    kept: &Path,
    tools: Option<&Tools>,
    progress: &mut dyn FnMut(&str),
) -> Result<PathBuf> {
    let dir = kept.join(&id(tools)[..16]);
    if !is_whole(&dir, LIBRARY) {
        progress(
            "building Go's crypto packages once, with the distribution's Go in the simulator (takes minutes)",
        );
        let root = &tools.context("Go was not fetched")?.sysroot.root;
        keep(kept, &dir, LIBRARY, |work| build(root, work))?;
    }
    Ok(dir.join(LIBRARY))
}

/// Compiles it in the directory `work`.
fn build(root: &Path, work: &Path) -> Result<()> {
    for (file, text) in [SOURCE, MODULE] {
        std::fs::write(work.join(file), text)?;
    }
    let binds = vec![Bind { host: work.into(), guest: "/work".into(), writable: true }];
    let arguments = ARGUMENTS.map(String::from).to_vec();
    let exit = tools::compile_with(root, GO, arguments, binds, &ENVIRONMENT)?;
    if exit.status.code() != 0 {
        let said = String::from_utf8_lossy(&exit.stderr);
        let code = exit.status.code();
        bail!("compiling Go's crypto packages failed with status {code}:\n{}", said.trim());
    }
    Ok(std::fs::remove_dir_all(work.join("cache"))?)
}
