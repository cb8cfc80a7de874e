//! This machine, with its own library or one that was built here.

use super::build::{Compiler, Recipe};
use super::local::Local;
use super::{Arch, Ended, Kind, Target, What, Work, process, toolchain};
use crate::compile::Program;
use crate::run::Configuration;
use anyhow::{Context, Result, bail};
use capvec_sysroot::Store;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What drivers are linked with at run time.
const SONAME: &str = "libcrypto.so.3";

/// This machine.
pub struct Native {
    arch: Arch,
    local: Local,
    packages: Vec<String>,
}

impl Native {
    /// Builds the drivers with the machine's own compiler; with `library`, they load the libcrypto of that directory.
    ///
    /// # Errors
    /// There is no compiler or no library; the message says what to install.
    pub fn new(
        programs: &[Program],
        library: Option<PathBuf>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Native> {
        let arch = Arch::host().context("--target native")?;
        let store = Store::from_env()?;
        progress("compiling the driver (cc of this machine)");
        let recipe = recipe(&store, arch, library.as_deref(), progress)?;
        let kept = store.home().join("drivers");
        let drivers = programs.iter().map(|p| recipe.build(*p, &kept)).collect::<Result<_>>()?;
        Ok(Native { arch, local: Local { drivers, dir: library }, packages: Vec::new() })
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
        Some(dir) => Some(dir.join(SONAME)),
        None => system_library(arch),
    };
    let Some(found) = found else {
        bail!(
            "--target native: this machine has no {SONAME}; install OpenSSL 3 (on Debian and Ubuntu: apt install \
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
    places.iter().map(|d| Path::new(d).join(SONAME)).find(|p| p.is_file())
}

impl Target for Native {
    fn name(&self) -> &str {
        "native"
    }

    fn kind(&self) -> Kind {
        Kind::Real
    }

    fn arch(&self) -> Arch {
        self.arch
    }

    fn packages(&self) -> &[String] {
        &self.packages
    }

    fn driver_id(&self) -> String {
        self.local.id()
    }

    fn identity(&self) -> Result<(String, String)> {
        let host = crate::host::Host::this();
        let library = self.local.dir.as_ref().map_or(Path::new("").into(), |l| l.join(SONAME));
        let library =
            if library.is_file() { crate::sweep::digest(&library)? } else { String::new() };
        Ok((format!("native {host:?}"), library))
    }

    fn run(&self, c: &Configuration, work: Work) -> Result<Ended> {
        let What::Driver(program, lines) = work.what else {
            bail!("--target native runs drivers only")
        };
        let mut command = Command::new(self.local.driver(program)?);
        self.local.prepare(&mut command, self.arch.variable(), c);
        process::run(&mut command, lines)
    }
}
