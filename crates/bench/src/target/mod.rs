//! Targets: where code runs.

mod sim;

pub(crate) use sim::confined;
pub use sim::{MakeEngine, Sim};

use crate::compile::Program;
use crate::run::Configuration;
use crate::subject::Subject;
use anyhow::Result;
use capvec_sim::hart::Agnostic;
use capvec_sysroot::Manifest;
use capvec_timing::Core;

/// Somewhere to run drivers, and programs that are there.
pub trait Target: Send + Sync {
    /// What `--target` calls it.
    fn name(&self) -> &str;

    /// The library that its drivers are linked with.
    fn subject(&self) -> Subject {
        Subject::OpenSsl
    }

    /// The modelled core; `None` where code runs on something else.
    fn core(&self) -> Option<&Core>;

    /// Packages with versions that the subject comes from, as far as they are known.
    fn packages(&self) -> &[String];

    /// What identifies the drivers.
    fn driver_id(&self) -> String;

    /// What else results depend on: where they run, and the library.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    fn identity(&self) -> Result<(String, String)>;

    /// Runs something to its end.
    ///
    /// # Errors
    /// It could not be run at all. One that fails has an exit status.
    fn run(&self, c: &Configuration, work: Work) -> Result<Ended>;
}

/// What to run.
pub struct Work {
    /// The program.
    pub what: What,
    /// What becomes of agnostic elements of vector registers, where that can be chosen.
    pub agnostic: Agnostic,
}

/// A program.
pub enum What {
    /// A driver, with what it reads.
    Driver(Program, String),
    /// A program of the target, with its arguments.
    Command(Vec<String>),
}

/// How a program ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Exit status; 128 and more for signals.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error, trimmed.
    pub stderr: String,
    /// What the target tells of the run.
    pub told: Vec<String>,
    /// Why a process ended early, by its number, where the target knows.
    pub causes: Vec<(String, String)>,
    /// Programs that were started for it, as far as the target knows.
    pub programs: u64,
}

/// Packages with versions and architectures.
fn packages(manifest: &Manifest) -> Vec<String> {
    let shown = manifest.packages.iter().map(|p| format!("{} {} {}", p.name, p.version, p.arch));
    shown.collect()
}
