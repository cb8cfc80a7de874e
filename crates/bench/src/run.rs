//! Runs the driver in the simulator.

use crate::capset::CapSet;
use crate::compile;
pub use crate::compile::Program;
use crate::jobs::{Job, Outcome};
use crate::sweep;
use anyhow::{Context, Result};
use capvec_isa::Isa;
use capvec_isa::lint::LONGEST;
use capvec_linux::fs::Bind;
use capvec_linux::{Exit, Input, Machine, Notice, Options, Output};
use capvec_sim::Engine;
use capvec_sim::hart::{Agnostic, Config};
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

/// What one run of the driver may use.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// VLEN in bits.
    pub vlen: u32,
    /// Capability set.
    pub capset: CapSet,
}

/// The process that answered a group of jobs, or all of them, ended before it was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Died(pub String);

impl Died {
    /// The whole guest.
    fn guest(exit: &Exit) -> Died {
        let stderr = String::from_utf8_lossy(&exit.stderr).trim().to_string();
        let mut told: Vec<String> = exit.notices.iter().map(|n| n.to_string()).collect();
        told.extend((!stderr.is_empty()).then_some(stderr));
        let told = if told.is_empty() { String::new() } else { format!(": {}", told.join("; ")) };
        Died(format!("the guest ended with status {}{told}", exit.status.code()))
    }

    /// The process that the driver names in `text`; the number of a process is not told, as it depends on what ran
    /// before.
    fn group(text: &str, notices: &[Notice]) -> Died {
        let (process, status) = text.split_once(' ').unwrap_or((text, "unknown"));
        let told = notices.iter().find_map(|n| match n {
            Notice::Killed { pid, signal, cause, .. } if pid.to_string() == process => {
                let cause = cause.as_ref().map_or(String::new(), |c| format!(": {c}"));
                Some(format!("the driver was ended by {signal}{cause}"))
            }
            _ => None,
        });
        Died(told.unwrap_or_else(|| format!("the driver ended with status {status}")))
    }
}

impl std::fmt::Display for Died {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Died {}

/// A core, a sysroot and a driver: ready to run configurations.
pub struct Runner {
    core: Core,
    root: PathBuf,
    packages: Vec<String>,
    drivers: Vec<compile::Driver>,
    engine: MakeEngine,
}

/// Makes an engine for a core; `true` for one that counts by instruction.
pub type MakeEngine = fn(&Core, bool) -> Box<dyn Engine>;

impl Runner {
    /// Fetches the sysroot and builds the drivers unless they are there; `progress` is told of each step.
    pub fn new(
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Runner> {
        let store = Store::from_env()?;
        let root = store.ensure(sysroot, &PACKAGES, &mut |p| progress(&p.to_string()))?;
        let packages = store
            .get(sysroot)?
            .manifest
            .packages
            .iter()
            .map(|p| format!("{} {} {}", p.name, p.version, p.arch))
            .collect();
        let drivers = compile::ensure(&store, sysroot, programs, progress)?;
        Ok(Runner { core, root, packages, drivers, engine: capvec_jit::best })
    }

    /// On such engines instead of the best that the host has. Figures do not depend on it.
    pub fn on(self, engine: MakeEngine) -> Runner {
        Runner { engine, ..self }
    }

    /// Name of the core.
    pub fn core_name(&self) -> &str {
        &self.core.name
    }

    /// The core's VLEN in bits.
    pub fn vlen(&self) -> u32 {
        self.core.vlen
    }

    /// The core's clock in Hz.
    pub fn frequency(&self) -> u64 {
        self.core.frequency
    }

    /// What the core executes.
    pub fn isa(&self) -> &Isa {
        &self.core.isa
    }

    /// What results of this runner depend on, besides the configuration; `vectors` identifies those that are checked.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    pub fn identity(
        &self,
        tool: &str,
        cases: Vec<String>,
        bytes: Vec<usize>,
        vectors: String,
    ) -> Result<sweep::Identity> {
        let program = std::env::current_exe().context("finding the running program")?;
        let core = hex::encode(Sha256::digest(format!("{:?}", self.core)));
        Ok(sweep::Identity {
            tool: tool.into(),
            program: sweep::digest(&program)?,
            core: format!("{} {core}", self.core.name),
            library: self.library()?,
            packages: self.packages.clone(),
            driver: self.driver_id(),
            cases,
            bytes,
            vectors,
        })
    }

    /// Digest of the sysroot's libcrypto; a registered directory has no package version to tell it by.
    fn library(&self) -> Result<String> {
        let lib = self.root.join("usr/lib");
        let subdirectories = std::fs::read_dir(&lib).into_iter().flatten().flatten();
        let mut places: Vec<PathBuf> = subdirectories.map(|e| e.path()).chain([lib]).collect();
        places.sort();
        let mut found = places.iter().map(|p| p.join(LIBRARY)).filter(|p| p.is_file());
        found.next().map_or(Ok("none".into()), |p| sweep::digest(&p))
    }

    /// Packages of the sysroot with versions.
    pub fn packages(&self) -> &[String] {
        &self.packages
    }

    /// What identifies the drivers.
    pub fn driver_id(&self) -> String {
        self.drivers.iter().map(|d| d.id.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn driver(&self, program: Program) -> Result<&compile::Driver> {
        let found = self.drivers.iter().find(|d| d.program == program);
        found.with_context(|| format!("the driver {program:?} was not asked for"))
    }

    /// Runs groups of jobs. Start-up is paid once; then each group has a process of its own, which begins where
    /// every other one does, with cold caches: what it costs depends on its own jobs only.
    ///
    /// # Errors
    /// [`Died`] if the whole guest ends before the last group; or what the driver does not understand.
    pub fn run(&self, c: &Configuration, groups: &[Vec<Job>]) -> Result<Vec<GroupOutcome>> {
        let text = |g: &Vec<Job>| g.iter().map(|j| j.line() + "\n").collect::<String>() + "\n";
        let exit = self.measure(c, groups.iter().map(text).collect())?;
        let output = String::from_utf8_lossy(&exit.stdout).into_owned();
        let mut lines = output.lines();
        groups.iter().map(|g| read(g, &mut lines, &exit.notices)).collect()
    }

    /// What the driver answers to these lines.
    ///
    /// # Errors
    /// [`Died`] if it does not reach their end.
    pub fn ask(&self, c: &Configuration, lines: String) -> Result<String> {
        let exit = self.measure(c, lines)?;
        Ok(String::from_utf8_lossy(&exit.stdout).into_owned())
    }

    /// What the driver that checks vectors answers to groups of lines, on a hart with this policy for agnostic
    /// elements; of a group whose process ends before its last line, the answers until then and why. The core model
    /// plays no part: no answer depends on it, and without one the simulator is faster.
    ///
    /// # Errors
    /// As [`Runner::ask`].
    pub fn check(
        &self,
        c: &Configuration,
        groups: &[Vec<String>],
        agnostic: Agnostic,
    ) -> Result<Vec<(Vec<String>, Option<Died>)>> {
        let text = |g: &Vec<String>| g.iter().map(|l| format!("{l}\n")).collect::<String>() + "\n";
        let core = Core { model: Model::Ideal, ..self.core.clone() };
        let run = Run::driver(Program::Check, groups.iter().map(text).collect());
        let exit = self.execute(&core, c, run, agnostic)?;
        let output = String::from_utf8_lossy(&exit.stdout).into_owned();
        let mut lines = output.lines();
        let read = |group: &Vec<String>| {
            let mut answers = Vec::new();
            while answers.len() < group.len() {
                let line = lines.next().unwrap_or("died");
                if let Some(which) = line.strip_prefix("died") {
                    return (answers, Some(Died::group(which.trim_start(), &exit.notices)));
                }
                answers.push(line.to_string());
            }
            (answers, None)
        };
        Ok(groups.iter().map(read).collect())
    }

    /// What a program of the sysroot prints on this configuration.
    ///
    /// # Errors
    /// [`Died`] if it fails.
    pub fn program(&self, c: &Configuration, argv: &[String]) -> Result<String> {
        let argv = argv.iter().map(|a| a.clone().into_bytes()).collect();
        let run = Run { argv, stdin: Vec::new(), program: Program::Measure };
        let exit = self.execute(&self.core, c, run, Agnostic::default())?;
        Ok(String::from_utf8_lossy(&exit.stdout).into_owned())
    }

    fn measure(&self, c: &Configuration, lines: String) -> Result<Exit> {
        let run = Run::driver(Program::Measure, lines);
        self.execute(&self.core, c, run, Agnostic::default())
    }

    fn execute(
        &self,
        core: &Core,
        c: &Configuration,
        run: Run,
        agnostic: Agnostic,
    ) -> Result<Exit> {
        let driver = self.driver(run.program)?;
        let core = Core { vlen: c.vlen, ..core.clone() };
        let hart = core.hart(Isa { exts: c.capset.exts, ..core.isa });
        let config = Arc::new(Config { agnostic, ..hart });
        let exit = confined(&core, self.engine, || {
            let mut options = Options::new(&self.root, run.argv, config);
            options.core_name = self.core.name.clone();
            options.misaligned = self.core.misaligned;
            options.binds.push(bind(&driver.dir));
            set_capabilities(&mut options, c.capset.capstring.as_deref());
            options.stdin = Input::Bytes(run.stdin);
            options.stdout = Output::Capture;
            options.stderr = Output::Capture;
            options
        })?;
        if exit.status.code() != 0 {
            return Err(Died::guest(&exit).into());
        }
        Ok(exit)
    }
}

/// What to run in a guest.
struct Run {
    argv: Vec<Vec<u8>>,
    stdin: Vec<u8>,
    /// The driver that the guest sees.
    program: Program,
}

impl Run {
    fn driver(program: Program, lines: String) -> Run {
        let path = format!("{GUEST_DIR}/{}", compile::PROGRAM);
        Run { argv: vec![path.into_bytes()], stdin: lines.into(), program }
    }
}

/// Runs a guest on the calling thread, which is confined for good: one that has nothing else to do.
fn run_here(options: Options, engine: Box<dyn Engine>) -> Result<Exit> {
    let mut machine = Machine::new(options, engine)?;
    // `capvec run` tells its user of a host that cannot do it.
    let _ = machine.confine();
    Ok(machine.run())
}

/// Runs a guest whose options `make` gives, on a thread of its own with only the host's system calls that it
/// needs.
pub(crate) fn confined(
    core: &Core,
    engine: MakeEngine,
    make: impl FnOnce() -> Options + Send,
) -> Result<Exit> {
    std::thread::scope(|scope| {
        // Before the thread is confined: no memory to execute in can be had then.
        let run = scope.spawn(|| run_here(make(), engine(core, false))).join();
        run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Tells the library what to use, or lets it detect.
///
/// The environment has the same size with every set: it lies above the stack, and a stack at another address meets
/// other lines of the data cache, which shows in the cycles of the same instructions.
fn set_capabilities(options: &mut Options, value: Option<&str>) {
    const NAME: &[u8] = b"OPENSSL_riscvcap";
    const UNUSED: &[u8; NAME.len()] = b"CAPVEC_not_given";
    let value = value.map_or((UNUSED.as_slice(), ""), |v| (NAME, v));
    options.set_env(value.0, value.1.as_bytes());
    options.set_env(b"CAPVEC_padding", &vec![b'.'; LONGEST.saturating_sub(value.1.len())]);
}

fn bind(dir: &Path) -> Bind {
    Bind { host: dir.into(), guest: GUEST_DIR.into(), writable: false }
}

/// Outcomes of a group's jobs, or why there are none.
pub type GroupOutcome = std::result::Result<Vec<Outcome>, Died>;

fn read(jobs: &[Job], lines: &mut std::str::Lines, notices: &[Notice]) -> Result<GroupOutcome> {
    let mut outcomes = Vec::new();
    for job in jobs {
        let line = lines
            .next()
            .with_context(|| format!("the driver stopped before answering \"{}\"", job.line()))?;
        if let Some(which) = line.strip_prefix("died ") {
            return Ok(Err(Died::group(which, notices)));
        }
        outcomes.push(job.read(line)?);
    }
    Ok(Ok(outcomes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_dies_is_told_apart_from_the_next_one() {
        let notice = Notice::Killed {
            pid: 102,
            program: "driver".into(),
            signal: "SIGILL",
            cause: Some("vghsh.vv".into()),
        };
        let mut lines = "version A\ndied 102 132\ndied 103 1\nversion B".lines();
        let mut next =
            |jobs: &[Job]| read(jobs, &mut lines, std::slice::from_ref(&notice)).unwrap();
        let died = next(&[Job::Version, Job::SelfCheck, Job::Version]).unwrap_err();
        assert_eq!(died.0, "the driver was ended by SIGILL: vghsh.vv");
        let died = next(&[Job::Probe]).unwrap_err();
        assert_eq!(died.0, "the driver ended with status 1");
        assert_eq!(next(&[Job::Version]), Ok(vec![Outcome::Version("B".into())]));
        assert!(read(&[Job::Version], &mut lines, &[]).is_err());
    }
}
