//! This machine, with its own library or one that was built here.

use super::compile::{Compiler, Recipe};
use super::local::{Local, needs_linux};
use super::{Arch, Ended, Facts, Kind, LIBRARY, Opened, Work, process, together, toolchain};
use crate::Limits;
use crate::probe::Probe;
use anyhow::{Context, Result, bail};
use capvec_guest::Program;
use capvec_sysroot::Store;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// This machine.
pub struct Native {
    facts: Facts,
    local: Local,
}

impl Native {
    /// Builds the drivers with the machine's own compiler; with `library`, they load the libcrypto of that directory.
    ///
    /// # Errors
    /// There is no compiler or no library; the message says what to install. Or this is not Linux.
    pub fn new(
        programs: &[Program],
        library: Option<PathBuf>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Native> {
        needs_linux("native")?;
        let arch = Arch::host().context("--target native")?;
        let store = Store::from_env()?;
        progress("compiling the driver (cc of this machine)");
        let recipe = recipe(&store, arch, library.as_deref(), progress)?;
        let drivers = recipe.all(programs, &store)?;
        let facts = Facts {
            name: "native".into(),
            kind: Kind::Real,
            arch,
            packages: Vec::new(),
            drivers: together(drivers.iter().map(|d| d.id.as_str())),
        };
        Ok(Native { facts, local: Local { drivers, dir: library } })
    }
}

/// The machine's headers, or Debian's if it has none.
fn recipe(
    store: &Store,
    arch: Arch,
    library: Option<&Path>,
    progress: &mut dyn FnMut(&str),
) -> Result<Recipe<'static>> {
    let own = |library: String, flags| Recipe {
        compiler: Compiler::Host,
        libraries: vec![library],
        flags,
    };
    if has_headers() && library.is_none() {
        return Ok(own("-lcrypto".into(), Vec::new()));
    }
    let found = match library {
        Some(dir) => Some(dir.join(LIBRARY)),
        None => system_library(arch),
    };
    let Some(found) = found else {
        bail!(
            "--target native: this machine has no {LIBRARY}; install OpenSSL 3 (on Debian and Ubuntu: apt install \
             libssl-dev), or measure another library with --subject openssl:BUILD"
        )
    };
    let flags =
        if has_headers() { Vec::new() } else { toolchain::openssl_headers(store, arch, progress)? };
    Ok(own(found.display().to_string(), flags))
}

/// Whether the compiler finds OpenSSL's headers.
fn has_headers() -> bool {
    let mut cc = Command::new("cc");
    cc.args(["-E", "-include", "openssl/evp.h", "-x", "c", "/dev/null"]);
    let status = cc.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|s| s.success())
}

fn system_library(arch: Arch) -> Option<PathBuf> {
    let triplet = arch.triplet();
    let places = [
        format!("/usr/lib/{triplet}"),
        format!("/lib/{triplet}"),
        "/usr/lib64".into(),
        "/usr/lib".into(),
    ];
    places.iter().map(|d| Path::new(d).join(LIBRARY)).find(|p| p.is_file())
}

impl Opened for Native {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn loaded(&self, probe: &Probe) -> Result<Option<PathBuf>> {
        self.local.loaded(probe)
    }

    fn identity(&self) -> Result<(String, String)> {
        let host = crate::host::this();
        Ok((format!("native {host:?}"), self.local.library()?))
    }

    fn run(&self, c: &Limits, work: Work) -> Result<Ended> {
        let Work { program, lines, .. } = work;
        let mut command = Command::new(self.local.driver(program)?);
        self.local.prepare(&mut command, self.arch().variable(), c);
        process::run(&mut command, lines)
    }
}
