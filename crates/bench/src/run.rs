//! Runs drivers on a target.

use crate::capset::CapSet;
pub use crate::configuration::Configuration;
use crate::jobs::Job;
use crate::process_end::read;
pub use crate::process_end::{Died, GroupOutcome};
use crate::resume::Identity;
use anyhow::{Context, Result};
pub use capvec_guest::{LONGEST, Program};
use capvec_isa::Isa;
use capvec_sim::hart::Agnostic;
use capvec_targets::backend::sections::Mark;
use capvec_targets::backend::{Count, Ended, Opened, Work};
use capvec_targets::{Library, SubjectName, Target, TargetName};
use capvec_timing::Core;
use capvec_util::digest;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A target with drivers: ready to run configurations.
pub struct Runner {
    target: Box<dyn Opened>,
    version: OnceLock<String>,
    programs: AtomicU64,
    subject: String,
}

/// Whether a group measures a message that is too long for the usual driver.
fn is_long(group: &Vec<Job>) -> bool {
    group.iter().any(|j| matches!(j, Job::Measure(_, _, bytes, _) if *bytes > LONGEST))
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
        Runner::open(&target, &target.find("--subject", subject)?, programs, progress)
    }

    /// Drivers on this target.
    pub fn at(target: impl Opened + 'static) -> Runner {
        let subject = target.subject().name().into();
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
        Runner { target, version: OnceLock::new(), programs: AtomicU64::new(0), subject }
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

    /// What results of this runner depend on, in addition to the configuration; `vectors` identifies the checked ones.
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

    /// Runs a program to its end.
    ///
    /// # Errors
    /// [`Died`] if its exit status is not 0.
    pub fn run(&self, c: &Configuration, work: Work) -> Result<Ended> {
        let ended = self.target.run(&c.limits(), work)?;
        self.programs.fetch_add(ended.programs, Ordering::Relaxed);
        if ended.status != 0 {
            return Err(Died::all(&ended).into());
        }
        Ok(ended)
    }

    /// Runs groups of jobs. Start-up is paid once; then each group has a process of its own, forked from the same state
    /// with cold caches, so that its cost depends on its own jobs only.
    ///
    /// # Errors
    /// [`Died`] if the driver ends before the last group; or the request that the driver does not understand.
    pub fn jobs(&self, c: &Configuration, groups: &[Vec<Job>]) -> Result<Vec<GroupOutcome>> {
        let (long, usual): (Vec<_>, Vec<_>) = groups.iter().cloned().partition(is_long);
        let by = |program, groups: &[Vec<Job>]| match groups.is_empty() {
            true => Ok(Vec::new()),
            false => {
                self.outcomes(groups, &self.run(c, Work::driver(program, self.lines(groups)))?)
            }
        };
        let mut usual = by(Program::Measure, &usual)?.into_iter();
        let mut long = by(Program::MeasureLong, &long)?.into_iter();
        let next = |g| if is_long(g) { long.next() } else { usual.next() };
        groups.iter().map(next).collect::<Option<Vec<_>>>().context("a group has no outcome")
    }

    pub(crate) fn lines(&self, groups: &[Vec<Job>]) -> String {
        let method = self.target.method();
        let text =
            |g: &Vec<Job>| g.iter().map(|j| j.line_for(method) + "\n").collect::<String>() + "\n";
        groups.iter().map(text).collect()
    }

    fn outcomes(&self, groups: &[Vec<Job>], ended: &Ended) -> Result<Vec<GroupOutcome>> {
        let method = self.target.method();
        let mut lines = ended.stdout.lines();
        groups.iter().map(|g| read(method, g, &mut lines, &ended.causes)).collect()
    }

    /// Runs groups of lines through the checking driver with this policy for agnostic elements, and returns its answers. For
    /// a group whose process ends early: the answers until then, and the reason.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn check(
        &self,
        c: &Configuration,
        groups: &[Vec<String>],
        agnostic: Agnostic,
    ) -> Result<Vec<(Vec<String>, Option<Died>)>> {
        let text = |g: &Vec<String>| g.iter().map(|l| format!("{l}\n")).collect::<String>() + "\n";
        let work = Work::driver(Program::Check, groups.iter().map(text).collect());
        let ended = self.run(c, Work { agnostic, ..work })?;
        let mut lines = ended.stdout.lines();
        let read = |group: &Vec<String>| {
            let mut answers = Vec::new();
            while answers.len() < group.len() {
                let line = lines.next().unwrap_or("died");
                if let Some(which) = line.strip_prefix("died") {
                    return (answers, Some(Died::group(which.trim_start(), &ended.causes)));
                }
                answers.push(line.to_string());
            }
            (answers, None)
        };
        Ok(groups.iter().map(read).collect())
    }

    /// Number of programs started in guests so far, each of which paid for start-up. Unknown on other targets.
    pub fn programs(&self) -> u64 {
        self.programs.load(Ordering::Relaxed)
    }

    /// Version of OpenSSL, such as `3.5.7`, as the checking driver expects it; the library is asked
    /// once.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn version(&self) -> Result<&str> {
        if let Some(version) = self.version.get() {
            return Ok(version);
        }
        let capset = CapSet::parse("auto", self.isa())?;
        let c = Configuration { vlen: self.vlen(), capset };
        let answers = self.check(&c, &[vec!["version".into()]], Agnostic::default())?;
        let line = answers.first().and_then(|(lines, _)| lines.first());
        let version = line.and_then(|l| l.strip_prefix("version "));
        let version = version.context("the driver does not report the library's version")?;
        Ok(self.version.get_or_init(|| version.into()))
    }

    /// As [`Runner::jobs`], with the counts of each group at each read of its own counter. Slow: everything is
    /// interpreted.
    ///
    /// # Errors
    /// As [`Runner::jobs`].
    pub fn jobs_marked(
        &self,
        c: &Configuration,
        groups: &[Vec<Job>],
    ) -> Result<(Vec<GroupOutcome>, Vec<Mark>)> {
        // Marks come in the order of the groups, so one driver takes all groups; both drivers execute the same code.
        let long = groups.iter().any(is_long);
        let program = if long { Program::MeasureLong } else { Program::Measure };
        let work = Work::driver(program, self.lines(groups));
        let ended = self.run(c, Work { count: Count::Sections, ..work })?;
        Ok((self.outcomes(groups, &ended)?, ended.marks))
    }
}
