//! Runs drivers on a target.

pub use crate::configuration::Configuration;
use crate::driver_protocol::Job;
pub use crate::process_end::{Died, GroupOutcome};
use crate::replay::{Family, Member};
use crate::resume::Identity;
use anyhow::{Context, Result};
use capvec_guest::Program;
use capvec_isa::Isa;
use capvec_targets::backend::{Ended, Opened, Work};
use capvec_targets::{Library, SubjectName, Target, TargetName};
use capvec_timing::Core;
use capvec_util::digest;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A target with drivers: ready to run configurations.
pub struct Runner {
    target: Box<dyn Opened>,
    pub(crate) version: OnceLock<String>,
    programs: AtomicU64,
    subject: String,
    /// The place of its core in a family.
    member: Option<Member>,
}

/// The ISA of a target without a modelled core.
const NO_ISA: Isa = Isa { xlen: 64, exts: capvec_isa::ExtSet::EMPTY };

impl Runner {
    /// Stock OpenSSL on the simulator: see [`Target::open`].
    ///
    /// # Errors
    /// What apt or the compiler reports.
    pub fn new(
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Runner> {
        Runner::of(&SubjectName::OpenSsl, core, sysroot, programs, progress)
    }

    /// Another subject on the simulator.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub fn of(
        subject: &SubjectName,
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Runner> {
        let (core, sysroot) = (Some(core), Some(sysroot.into()));
        let target = Target { core, sysroot, ..Target::new(TargetName::Sim) };
        Runner::open(&target, &target.find(subject)?, programs, progress)
    }

    /// Drivers on this target.
    pub fn at(target: impl Opened + 'static) -> Runner {
        let subject = target.library_kind().name().into();
        Runner::with(Box::new(target), subject)
    }

    /// Drivers on a target with a library: see [`Target::open`].
    ///
    /// # Errors
    /// What apt, the compiler or the connection reports.
    pub fn open(
        target: &Target,
        library: &Library,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Runner> {
        Ok(Runner::with(target.open(library, programs, progress)?, library.name.clone()))
    }

    fn with(target: Box<dyn Opened>, subject: String) -> Runner {
        let (version, programs) = (OnceLock::new(), AtomicU64::new(0));
        Runner { target, version, programs, subject, member: None }
    }

    /// Takes the figures of its core from a family where they are replayed. libcapvec chooses kernels by measuring, so it takes
    /// other paths on other cores, and is never replayed.
    pub fn in_family(self, member: Option<Member>) -> Runner {
        let member = member.filter(|_| !self.has_libcapvec());
        Runner { member, ..self }
    }

    /// The family of its core.
    pub(crate) fn family(&self) -> Option<&Family> {
        self.member.as_ref().map(|m| &*m.family)
    }

    /// What these groups give on its core, if they are replayed.
    pub(crate) fn replayed(
        &self,
        c: &Configuration,
        groups: &[Vec<Job>],
    ) -> Result<Option<Vec<GroupOutcome>>> {
        // Each random layout would be another path.
        let Some(m) = self.member.as_ref().filter(|_| c.layout.is_none()) else { return Ok(None) };
        m.family.outcomes(m.number, (self.target(), &self.library_id()), c, groups)
    }

    /// Identifies the library with its drivers.
    pub(crate) fn library_id(&self) -> String {
        format!("{} {}", self.subject, self.driver_id())
    }

    /// The measured library, as `--subject` names it.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Whether the measured library is libcapvec, or OpenSSL with libcapvec as its provider.
    pub fn has_libcapvec(&self) -> bool {
        self.subject.parse().is_ok_and(|s: SubjectName| s.has_libcapvec())
    }

    /// The target.
    pub fn target(&self) -> &dyn Opened {
        self.target.as_ref()
    }

    /// The core's label in figures: its name, and what differs from the shipped core. Empty without a modelled core.
    pub fn core_name(&self) -> &str {
        self.target.core().map_or("", |c| &c.identity.label)
    }

    /// Digest of the core's parameters; empty without a modelled core.
    pub fn core_digest(&self) -> &str {
        self.target.core().map_or("", |c| &c.identity.digest)
    }

    /// The core's VLEN in bits; 0 without a modelled core.
    pub fn vlen(&self) -> u32 {
        self.target.core().map_or(0, |c| c.vlen)
    }

    /// The core's clock in Hz; `None` without a modelled core.
    pub fn frequency(&self) -> Option<u64> {
        self.target.core().map(|c| c.frequency)
    }

    /// What the core executes.
    pub fn isa(&self) -> &Isa {
        self.target.core().map_or(&NO_ISA, |c| &c.isa)
    }

    /// What results of this runner depend on, in addition to the configuration; `vectors` identifies the checked vectors.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    pub fn identity(
        &self,
        tool: &str,
        cases: Vec<String>,
        bytes: Vec<usize>,
        vectors: String,
    ) -> Result<Identity> {
        let program = std::env::current_exe().context("finding the running program")?;
        let (core, library) = self.target.identity()?;
        Ok(Identity {
            tool: tool.into(),
            program: digest(&program)?,
            core,
            library,
            packages: self.packages().to_vec(),
            driver: self.driver_id().into(),
            cases,
            bytes,
            vectors,
        })
    }

    /// The packages that the subject comes from, with versions.
    pub fn packages(&self) -> &[String] {
        self.target.packages()
    }

    /// Identifies the drivers.
    pub fn driver_id(&self) -> &str {
        self.target.driver_id()
    }

    /// Runs something to its end.
    ///
    /// # Errors
    /// [`Died`] if the program's exit status is not 0, or else what the work itself says.
    pub fn run<R: Runnable>(&self, c: &Configuration, work: R) -> Result<R::Answer> {
        work.run_by(self, c)
    }

    /// Counts the programs that a run started; its exit status must be 0.
    pub(crate) fn succeeded(&self, ended: Ended) -> Result<Ended> {
        self.programs.fetch_add(ended.programs, Ordering::Relaxed);
        if ended.status != 0 {
            return Err(Died::all(&ended).into());
        }
        Ok(ended)
    }

    /// Number of programs started in guests so far, each of which paid for start-up. Unknown on other targets.
    pub fn programs(&self) -> u64 {
        self.programs.load(Ordering::Relaxed)
    }
}

/// Something that a [`Runner`] runs: a driver as such, or one of the requests in [`crate::requests`].
pub trait Runnable {
    /// What it gives.
    type Answer;

    /// Runs it.
    ///
    /// # Errors
    /// As [`Runner::run`].
    fn run_by(self, runner: &Runner, c: &Configuration) -> Result<Self::Answer>;
}

impl Runnable for Work {
    type Answer = Ended;

    fn run_by(self, runner: &Runner, c: &Configuration) -> Result<Ended> {
        runner.succeeded(runner.target().run(&c.limits(), self)?)
    }
}
