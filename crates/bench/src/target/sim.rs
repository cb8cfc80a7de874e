//! The embedded simulator: a modelled hart under user-mode Linux.

use super::{Arch, Ended, Kind, Target, What, Work};
use crate::compile::{self, Program};
use crate::probe::Probe;
use crate::run::Configuration;
use crate::sources::CONFIGURATION;
use crate::subject::Subject;
use crate::sweep;
use anyhow::{Context, Result};
use capvec_isa::lint::LONGEST;
use capvec_isa::op::OPS;
use capvec_isa::{Isa, Op};
use capvec_linux::fs::Bind;
use capvec_linux::{Concealed, Exit, Input, Machine, Notice, Options, Output};
use capvec_sim::Engine;
use capvec_sim::engine::Histogram;
use capvec_sim::hart::Config;
use capvec_sysroot::Store;
use capvec_timing::{Core, Model};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Packages that the subject needs.
const PACKAGES: [&str; 1] = ["openssl"];
/// What the driver is linked against.
const LIBRARY: &str = "libcrypto.so.3";
/// Where the guest sees the driver.
const GUEST_DIR: &str = "/capvec";
/// Where it sees another library than the sysroot's.
const GUEST_LIBRARY: &str = "/capvec-library";
/// Where it sees the provider.
const PROVIDER_DIR: &str = "/provider";

/// Makes an engine for a core; `true` for one that counts by instruction.
pub type MakeEngine = fn(&Core, bool) -> Box<dyn Engine>;

/// A core, a sysroot and drivers.
pub struct Sim {
    core: Core,
    root: PathBuf,
    packages: Vec<String>,
    drivers: Vec<compile::Driver>,
    engine: MakeEngine,
    subject: Subject,
    /// Directory of another libcrypto than the sysroot's.
    other: Option<PathBuf>,
    concealed: Concealed,
}

impl Sim {
    /// Fetches the sysroot and builds the drivers unless they are there; `progress` is told of each step.
    ///
    /// # Errors
    /// What apt or the compiler reports.
    pub fn new(
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Sim> {
        Sim::of(Subject::OpenSsl, core, sysroot, programs, progress)
    }

    /// As [`Sim::new`], with drivers of another library.
    ///
    /// # Errors
    /// As [`Sim::new`].
    pub fn of(
        subject: Subject,
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Sim> {
        let store = Store::from_env()?;
        let root = store.ensure(sysroot, &PACKAGES, &mut |p| progress(&p.to_string()))?;
        let packages = super::packages(&store.get(sysroot)?.manifest);
        let drivers = compile::ensure(&store, sysroot, subject, programs, progress)?;
        Ok(Sim {
            core,
            root,
            packages,
            drivers,
            engine: capvec_jit::best,
            subject,
            other: None,
            concealed: Concealed::default(),
        })
    }

    /// On such engines instead of the best that the host has. Figures do not depend on it.
    pub fn on(self, engine: MakeEngine) -> Sim {
        Sim { engine, ..self }
    }

    /// With drivers that load the libcrypto of this directory of the host.
    pub fn with_library(self, dir: Option<PathBuf>) -> Sim {
        Sim { other: dir, ..self }
    }

    /// On a kernel that does not show this.
    pub fn concealing(self, concealed: Concealed) -> Sim {
        Sim { concealed, ..self }
    }

    /// Digest of the libcrypto; a registered directory has no package version to tell it by.
    fn digest(&self) -> Result<String> {
        self.libcrypto_file().map_or(Ok("none".into()), |p| sweep::digest(&p))
    }

    fn libcrypto_file(&self) -> Option<PathBuf> {
        if let Some(dir) = &self.other {
            return Some(dir.join(LIBRARY));
        }
        let lib = self.root.join("usr/lib");
        let subdirectories = std::fs::read_dir(&lib).into_iter().flatten().flatten();
        let mut places: Vec<PathBuf> = subdirectories.map(|e| e.path()).chain([lib]).collect();
        places.sort();
        places.iter().map(|p| p.join(LIBRARY)).find(|p| p.is_file())
    }

    fn driver(&self, program: Program) -> Result<&compile::Driver> {
        let found = self.drivers.iter().find(|d| d.program == program);
        found.with_context(|| format!("the driver {program:?} was not asked for"))
    }
}

impl Target for Sim {
    fn name(&self) -> &str {
        "sim"
    }

    fn subject(&self) -> Subject {
        self.subject
    }

    fn kind(&self) -> Kind {
        Kind::Modelled
    }

    fn arch(&self) -> Arch {
        Arch::Riscv64
    }

    fn core(&self) -> Option<&Core> {
        Some(&self.core)
    }

    fn libcrypto(&self, _: &Probe) -> Result<Option<String>> {
        self.digest().map(Some)
    }

    fn contents(&self, _: &Probe) -> Result<Option<(String, Vec<u8>)>> {
        let Some(file) = self.libcrypto_file().filter(|_| self.subject == Subject::OpenSsl) else {
            return Ok(None);
        };
        let bytes = std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        Ok(Some((file.display().to_string(), bytes)))
    }

    fn packages(&self) -> &[String] {
        &self.packages
    }

    fn driver_id(&self) -> String {
        self.drivers.iter().map(|d| d.id.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn identity(&self) -> Result<(String, String)> {
        let core = hex::encode(Sha256::digest(format!("{:?}", self.core)));
        Ok((format!("{} {core}", self.core.name), self.digest()?))
    }

    fn run(&self, c: &Configuration, work: Work) -> Result<Ended> {
        // No answer depends on the core model, and without one the simulator is faster.
        let (program, argv, stdin, model) = match work.what {
            What::Driver(program, lines) => {
                let path = format!("{GUEST_DIR}/{}", compile::PROGRAM);
                let model =
                    if program == Program::Check { Model::Ideal } else { self.core.model.clone() };
                (program, vec![path], lines, model)
            }
            What::Command(argv) => (Program::Measure, argv, String::new(), self.core.model.clone()),
        };
        let driver = self.driver(program)?;
        let provider = self.drivers.iter().find(|d| d.program == Program::Provider);
        let core = Core { vlen: c.vlen, model, ..self.core.clone() };
        let hart = core.hart(Isa { exts: c.capset.exts, ..core.isa });
        let config = Arc::new(Config { agnostic: work.agnostic, ..hart });
        let make = || (self.engine)(&core, work.count);
        let (exit, histogram) = confined(make, || {
            let argv = argv.into_iter().map(String::into_bytes).collect();
            let mut options = Options::new(&self.root, argv, config);
            options.core_name = self.core.name.clone();
            options.misaligned = self.core.misaligned;
            options.concealed = self.concealed;
            options.binds.push(bind(&driver.dir, GUEST_DIR));
            if let Some(dir) = &self.other {
                options.binds.push(bind(dir, GUEST_LIBRARY));
                options.set_env(b"LD_LIBRARY_PATH", GUEST_LIBRARY.as_bytes());
            }
            if let Some(provider) = provider {
                options.binds.push(bind(&provider.dir, PROVIDER_DIR));
                let configuration = format!("{PROVIDER_DIR}/{}", CONFIGURATION.0);
                options.set_env(b"OPENSSL_CONF", configuration.as_bytes());
                options.set_env(b"OPENSSL_MODULES", PROVIDER_DIR.as_bytes());
            }
            set_capabilities(&mut options, self.subject, c.capset.capstring.as_deref());
            options.stdin = Input::Bytes(stdin.into());
            options.stdout = Output::Capture;
            options.stderr = Output::Capture;
            options
        })?;
        let executed = histogram.map_or_else(Vec::new, |h| counted(&h));
        Ok(Ended { executed, ..ended(&exit) })
    }
}

/// What was executed, by instruction.
fn counted(h: &Histogram) -> Vec<(Op, u64)> {
    OPS.iter().copied().zip(h.by_op.iter().copied()).filter(|(_, n)| *n > 0).collect()
}

fn ended(exit: &Exit) -> Ended {
    let cause = |n: &Notice| match n {
        Notice::Killed { pid, signal, cause, .. } => {
            let cause = cause.as_ref().map_or(String::new(), |c| format!(": {c}"));
            Some((pid.to_string(), format!("the driver was ended by {signal}{cause}")))
        }
        _ => None,
    };
    Ended {
        status: exit.status.code().into(),
        stdout: String::from_utf8_lossy(&exit.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&exit.stderr).trim().to_string(),
        told: exit.notices.iter().map(|n| n.to_string()).collect(),
        causes: exit.notices.iter().filter_map(cause).collect(),
        programs: exit.programs,
        executed: Vec::new(),
    }
}

/// Runs a guest on the calling thread, which is confined for good: one that has nothing else to do.
fn run_here(options: Options, engine: Box<dyn Engine>) -> Result<(Exit, Option<Histogram>)> {
    let mut machine = Machine::new(options, engine)?;
    // `capvec run` tells its user of a host that cannot do it.
    let _ = machine.confine();
    let exit = machine.run();
    Ok((exit, machine.engine().histogram()))
}

/// Runs a guest whose options `make` gives, on a thread of its own with only the host's system calls that it
/// needs.
pub(crate) fn confined(
    engine: impl FnOnce() -> Box<dyn Engine> + Send,
    make: impl FnOnce() -> Options + Send,
) -> Result<(Exit, Option<Histogram>)> {
    std::thread::scope(|scope| {
        // Before the thread is confined: no memory to execute in can be had then.
        let run = scope.spawn(|| run_here(make(), engine())).join();
        run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Tells the library what to use, or lets it detect.
///
/// The environment has the same size with every set: it lies above the stack, and a stack at another address meets
/// other lines of the data cache, which shows in the cycles of the same instructions.
fn set_capabilities(options: &mut Options, subject: Subject, value: Option<&str>) {
    let names = subject.variables();
    for name in names {
        let unused = "_".repeat(name.len());
        let (name, value) = value.map_or((unused.as_str(), ""), |v| (*name, v));
        options.set_env(name.as_bytes(), value.as_bytes());
    }
    let used = names.len() * value.map_or(0, str::len);
    options.set_env(b"CAPVEC_padding", &vec![b'.'; (names.len() * LONGEST).saturating_sub(used)]);
}

fn bind(dir: &Path, guest: &str) -> Bind {
    Bind { host: dir.into(), guest: guest.into(), writable: false }
}
