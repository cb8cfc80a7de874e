//! What runs programs on a target: one file for each kind of target, behind the trait [`Opened`].

mod compile;
pub mod counter_reads;
mod divergence;
mod local;
mod native;
mod process;
mod qemu;
pub mod qemu_log;
mod shares;
mod sim;
mod ssh;
mod ssh_files;
mod ssh_link;
mod stepping;
mod timeless;

pub use capvec_guest::toolchain::{self, Toolchain, debian as debian_toolchain};
pub use divergence::Divergence;
pub use native::Native;
pub use qemu::{Qemu, VLEN as QEMU_VLEN};
pub use sim::{MakeEngine, Sim};
pub use ssh::Ssh;
pub use ssh_files::copy_kernel;
pub use ssh_link::Lost;
pub use timeless::is_timeless;

use crate::Limits;
use crate::probe::Probe;
use anyhow::{Context, Result};
use capvec_ct::{Marks, Report};
use capvec_guest::{LibraryKind, Program};
use capvec_isa::Op;
use capvec_record::{Arch, Kind};
use capvec_sim::hart::Agnostic;
use capvec_timing::Core;
use capvec_timing::replay::Recording;
use capvec_util::digest;
use std::path::PathBuf;
use std::sync::Arc;

/// File name of the library that drivers load.
pub const LIBRARY: &str = "libcrypto.so.3";
/// The command in the directory of a build that has it.
pub const COMMAND: &str = "openssl";

/// How the driver measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// With the counters of the simulated hart.
    Counted,
    /// Between marks in an emulator's log: exact, so that one run is enough.
    Traced,
    /// With the clock, in samples, and with the counters that exist.
    Timed,
}

/// The description of a target.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The name for `--target`.
    pub name: String,
    /// The kind of its figures.
    pub kind: Kind,
    /// The architecture.
    pub arch: Arch,
    /// Packages with versions that the subject comes from, as far as they are known.
    pub packages: Vec<String>,
    /// Identifies the drivers.
    pub drivers: String,
}

/// An opened target: it runs drivers for a subject, and programs of the target's own.
pub trait Opened: Send + Sync {
    /// Its description.
    fn facts(&self) -> &Facts;

    /// The name for `--target`.
    fn name(&self) -> &str {
        &self.facts().name
    }

    /// The kind of library that its drivers are linked with.
    fn library_kind(&self) -> LibraryKind {
        LibraryKind::OpenSsl
    }

    /// The kind of its figures.
    fn kind(&self) -> Kind {
        self.facts().kind
    }

    /// The architecture.
    fn arch(&self) -> Arch {
        self.facts().arch
    }

    /// How the driver measures.
    fn method(&self) -> Method {
        match self.kind() {
            Kind::Modelled => Method::Counted,
            Kind::Emulated => Method::Traced,
            Kind::Real => Method::Timed,
        }
    }

    /// The library that the probe names, if it is a file of this machine; `None` if it is linked into the driver.
    ///
    /// # Errors
    /// Names a file that was loaded instead of the requested one.
    fn loaded(&self, _: &Probe) -> Result<Option<PathBuf>> {
        Ok(None)
    }

    /// SHA-256 of the library that the probe names; `None` if it is linked into the driver.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    fn libcrypto(&self, probe: &Probe) -> Result<Option<String>> {
        self.loaded(probe)?.map(|file| digest(&file)).transpose()
    }

    /// The library that the probe names: its path on the target and its content; `None` if it is linked into the driver.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    fn contents(&self, probe: &Probe) -> Result<Option<(String, Vec<u8>)>> {
        let Some(file) = self.loaded(probe)? else { return Ok(None) };
        let bytes = std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        Ok(Some((file.display().to_string(), bytes)))
    }

    /// The modelled core; `None` if the target has none.
    fn core(&self) -> Option<&Core> {
        None
    }

    /// Packages with versions that the subject comes from, as far as they are known.
    fn packages(&self) -> &[String] {
        &self.facts().packages
    }

    /// Identifies the drivers.
    fn driver_id(&self) -> &str {
        &self.facts().drivers
    }

    /// What else results depend on: the place where they run, and the library.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    fn identity(&self) -> Result<(String, String)>;

    /// Runs a driver to its end.
    ///
    /// # Errors
    /// It cannot be run at all. A program that fails has an exit status.
    fn run(&self, c: &Limits, work: Work) -> Result<Ended>;

    /// Runs a driver with the model of another core, which executes the same instructions, and records up to `room` words of
    /// what the model observes. `None` where nothing can be recorded.
    ///
    /// # Errors
    /// As [`Opened::run`].
    fn record(&self, _: &Core, _: &Limits, _: Work, _room: usize) -> Result<Option<Recorded>> {
        Ok(None)
    }

    /// Runs a program of the target, with its arguments, to its end; `None` if the target runs drivers only.
    ///
    /// # Errors
    /// As [`Opened::run`].
    fn command(&self, _: &Limits, _argv: Vec<String>) -> Option<Result<Ended>> {
        None
    }
}

/// A driver to run.
pub struct Work {
    /// The driver.
    pub program: Program,
    /// Its standard input.
    pub lines: String,
    /// What agnostic elements of vector registers become, where that can be chosen.
    pub agnostic: Agnostic,
    /// Whether executed instructions are counted by kind, where that is possible.
    pub count: Count,
}

/// How executed instructions are counted by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Count {
    /// Not at all.
    #[default]
    Nothing,
    /// For the whole run: see [`Ended::executed`].
    All,
    /// For each section: see [`Ended::marks`].
    AtReads,
    /// By function: see [`Ended::shares`].
    Functions,
    /// By function of an interface, with what it calls: see [`Ended::shares`].
    Calls(&'static Calls),
    /// By latency class, in the calls of this function or the whole run: see [`Ended::shares`].
    Classes(Option<&'static str>),
    /// Nothing is counted, but secrets are followed: see [`Ended::secrets`].
    Secrets(Arc<Marks>),
    /// Nothing is counted, but two groups are compared: see [`Ended::divergence`].
    Divergence,
}

/// Calls that divide a part of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Calls {
    /// Only what this function calls is counted.
    pub below: &'static str,
    /// Functions that count as a whole, with what they call; outside of them, each function counts for itself.
    pub whole: &'static [&'static str],
}

impl Work {
    /// A driver with its standard input; default policy, no counting.
    pub fn driver(program: Program, lines: String) -> Work {
        Work { program, lines, agnostic: Agnostic::default(), count: Count::Nothing }
    }
}

/// The element of `all` that is for this program.
///
/// # Errors
/// The program was not requested of this target.
fn for_program<T>(all: &[T], program: Program, of: impl Fn(&T) -> Program) -> Result<&T> {
    let found = all.iter().find(|d| of(d) == program);
    found.with_context(|| format!("no driver {program:?} was requested of this target"))
}

/// Digests as one text.
fn together<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    ids.collect::<Vec<_>>().join(" ")
}

/// What a function itself executed, without the functions that it called (except where it counts as a whole: [`Calls`]), or
/// what the instructions of a latency class took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// The name of the function or class.
    pub name: String,
    /// Retired instructions.
    pub insns: u64,
    /// Modelled cycles.
    pub cycles: u64,
}

/// A program that ended, and what a model observed of it.
pub type Recorded = (Ended, Recording);

/// How a program ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Exit status; 128 and more for signals.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error, trimmed.
    pub stderr: String,
    /// Notices of the target about the run.
    pub notices: Vec<String>,
    /// Why processes ended early, by process number, where the target knows.
    pub causes: Vec<(String, String)>,
    /// Executed instructions by kind, if they were counted.
    pub executed: Vec<(Op, u64)>,
    /// Counts at each read of the program's own counter, if sections were counted.
    pub marks: Vec<counter_reads::Mark>,
    /// The run by function or by class, if it was counted so.
    pub shares: Vec<Share>,
    /// What depends on secrets, if they were followed.
    pub secrets: Option<Report>,
    /// Where the groups' paths or cycles diverge, if they do.
    pub divergence: Option<Divergence>,
    /// Number of programs that were started, if the target knows.
    pub programs: u64,
}
