//! Runs drivers on a target.

use crate::capset::CapSet;
pub use crate::compile::{LONGEST, Program};
pub use crate::configuration::Configuration;
use crate::died::read;
pub use crate::died::{Died, GroupOutcome};
use crate::digest::digest;
use crate::jobs::Job;
use crate::store::Identity;
use crate::subject::Subject;
use crate::target::sections::Mark;
use crate::target::{Count, Ended, Sim, Target, What, Work};
use anyhow::{Context, Result};
use capvec_isa::{Isa, Op};
use capvec_sim::hart::Agnostic;
use capvec_timing::Core;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A target with drivers: ready to run configurations.
pub struct Runner {
    target: Box<dyn Target>,
    version: OnceLock<String>,
    programs: AtomicU64,
    subject: String,
}

/// Whether a group measures a message that the usual driver has no place for.
fn is_long(group: &Vec<Job>) -> bool {
    group.iter().any(|j| matches!(j, Job::Measure(_, _, bytes, _) if *bytes > LONGEST))
}

/// What a target without a modelled core has for an ISA.
const NO_ISA: Isa = Isa { xlen: 64, exts: capvec_isa::ExtSet::EMPTY };

impl Runner {
    /// On the simulator: fetches the sysroot and builds the drivers unless they are there; `progress` is told of each
    /// step.
    ///
    /// # Errors
    /// What apt or the compiler reports.
    pub fn new(
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Runner> {
        Ok(Runner::at(Sim::new(core, sysroot, programs, progress)?))
    }

    /// As [`Runner::new`], of another library.
    ///
    /// # Errors
    /// As [`Runner::new`].
    pub fn of(
        subject: Subject,
        core: Core,
        sysroot: &str,
        programs: &[Program],
        progress: &mut dyn FnMut(&str),
    ) -> Result<Runner> {
        Ok(Runner::at(Sim::of(subject, core, sysroot, programs, progress)?))
    }

    /// On this target.
    pub fn at(target: impl Target + 'static) -> Runner {
        let (version, programs) = (OnceLock::new(), AtomicU64::new(0));
        let subject = target.subject().name().into();
        Runner { target: Box::new(target), version, programs, subject }
    }

    /// The library that is measured, as `--subject` calls it.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The same, calling the library so.
    pub fn called(self, subject: &str) -> Runner {
        Runner { subject: subject.into(), ..self }
    }

    /// The target.
    pub fn target(&self) -> &dyn Target {
        self.target.as_ref()
    }

    /// What figures of the core are labelled with: its name, and what is not as shipped. Empty without a modelled one.
    pub fn core_name(&self) -> &str {
        self.target.core().map_or("", |c| &c.identity.label)
    }

    /// Digest of the core's parameters; empty without a modelled one.
    pub fn core_digest(&self) -> &str {
        self.target.core().map_or("", |c| &c.identity.digest)
    }

    /// The core's VLEN in bits; 0 without a modelled one.
    pub fn vlen(&self) -> u32 {
        self.target.core().map_or(0, |c| c.vlen)
    }

    /// The core's clock in Hz; `None` without a modelled one.
    pub fn frequency(&self) -> Option<u64> {
        self.target.core().map(|c| c.frequency)
    }

    /// What the core executes.
    pub fn isa(&self) -> &Isa {
        self.target.core().map_or(&NO_ISA, |c| &c.isa)
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

    /// Packages with versions that the subject comes from.
    pub fn packages(&self) -> &[String] {
        self.target.packages()
    }

    /// What identifies the drivers.
    pub fn driver_id(&self) -> &str {
        self.target.driver_id()
    }

    /// Runs groups of jobs. Start-up is paid once; then each group has a process of its own, which begins where
    /// every other one does, with cold caches: what it costs depends on its own jobs only.
    ///
    /// # Errors
    /// [`Died`] if the driver ends before the last group; or what the driver does not understand.
    pub fn run(&self, c: &Configuration, groups: &[Vec<Job>]) -> Result<Vec<GroupOutcome>> {
        let (long, usual): (Vec<_>, Vec<_>) = groups.iter().cloned().partition(is_long);
        let by = |program, groups: &[Vec<Job>]| match groups.is_empty() {
            true => Ok(Vec::new()),
            false => self.outcomes(groups, &self.measure(program, c, self.lines(groups))?),
        };
        let mut usual = by(Program::Measure, &usual)?.into_iter();
        let mut long = by(Program::MeasureLong, &long)?.into_iter();
        let next = |g| if is_long(g) { long.next() } else { usual.next() };
        groups.iter().map(next).collect::<Option<Vec<_>>>().context("a group has no outcome")
    }

    fn lines(&self, groups: &[Vec<Job>]) -> String {
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

    /// What the driver answers to these lines.
    ///
    /// # Errors
    /// [`Died`] if it does not reach their end.
    pub fn ask(&self, c: &Configuration, lines: String) -> Result<String> {
        Ok(self.measure(Program::Measure, c, lines)?.stdout)
    }

    /// What the driver that checks vectors answers to groups of lines, with this policy for agnostic elements; of a
    /// group whose process ends before its last line, the answers until then and why.
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
        let what = What::Driver(Program::Check, groups.iter().map(text).collect());
        let ended = self.execute(c, Work { agnostic, ..Work::new(what) })?;
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

    /// Number of programs that were started in guests so far: what start-up was paid for. Nothing is known of other
    /// targets.
    pub fn programs(&self) -> u64 {
        self.programs.load(Ordering::Relaxed)
    }

    /// Version of OpenSSL, such as `3.5.7`, as the driver that checks vectors is told; it is asked once.
    ///
    /// # Errors
    /// As [`Runner::ask`].
    pub fn version(&self) -> Result<&str> {
        if let Some(version) = self.version.get() {
            return Ok(version);
        }
        let capset = CapSet::parse("auto", self.isa())?;
        let c = Configuration { vlen: self.vlen(), capset };
        let answers = self.check(&c, &[vec!["version".into()]], Agnostic::default())?;
        let line = answers.first().and_then(|(lines, _)| lines.first());
        let version = line.and_then(|l| l.strip_prefix("version "));
        let version = version.context("the driver does not tell the library's version")?;
        Ok(self.version.get_or_init(|| version.into()))
    }

    /// What a program of the target prints on this configuration.
    ///
    /// # Errors
    /// [`Died`] if it fails.
    pub fn program(&self, c: &Configuration, argv: &[String]) -> Result<String> {
        Ok(self.execute(c, Work::new(What::Command(argv.to_vec())))?.stdout)
    }

    /// What a test of libcapvec's kernels prints: see `crypto/test/abi.c`, `guard.c`, `table.c` and `many.c`.
    ///
    /// # Errors
    /// [`Died`] if the test does not notice what it looks for.
    pub fn test(&self, program: Program, c: &Configuration) -> Result<String> {
        Ok(self.execute(c, Work::new(What::Driver(program, String::new())))?.stdout)
    }

    /// What the program that tries instructions answers: see `driver/trial.c`.
    ///
    /// # Errors
    /// [`Died`] if it does not reach the end of the lines.
    pub fn trial(&self, c: &Configuration, lines: String) -> Result<String> {
        Ok(self.execute(c, Work::new(What::Driver(Program::Trial, lines)))?.stdout)
    }

    /// What is executed, by kind, while the driver answers these jobs in one group; nothing where that cannot be counted.
    ///
    /// # Errors
    /// [`Died`] if it does not reach their end.
    pub fn executed(&self, c: &Configuration, jobs: &[Job]) -> Result<Vec<(Op, u64)>> {
        let method = self.target.method();
        let lines: String = jobs.iter().map(|j| j.line_for(method) + "\n").collect();
        let what = What::Driver(Program::Measure, lines);
        Ok(self.execute(c, Work { count: Count::All, ..Work::new(what) })?.executed)
    }

    /// As [`Runner::run`], with the counts of each group wherever it read its own counter. Slow: everything is interpreted.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn run_marked(
        &self,
        c: &Configuration,
        groups: &[Vec<Job>],
    ) -> Result<(Vec<GroupOutcome>, Vec<Mark>)> {
        // Marks are in the order of the groups, so all are by one driver: what is executed is the same by both.
        let long = groups.iter().any(is_long);
        let program = if long { Program::MeasureLong } else { Program::Measure };
        let what = What::Driver(program, self.lines(groups));
        let ended = self.execute(c, Work { count: Count::Sections, ..Work::new(what) })?;
        Ok((self.outcomes(groups, &ended)?, ended.marks))
    }

    /// What the comparison of the provider with OpenSSL's own prints: see `crypto/test/provider/main.c`.
    ///
    /// # Errors
    /// [`Died`] with what differs.
    pub fn compare(&self, c: &Configuration, seed: u64, rounds: usize) -> Result<String> {
        let line = format!("/provider {seed} {rounds}\n");
        let what = What::Driver(Program::Compare, line);
        let ended = self.target.run(c, Work { agnostic: Agnostic::Ones, ..Work::new(what) })?;
        if ended.status != 0 {
            return Err(Died(format!("{}{}", ended.stdout, Died::all(&ended))).into());
        }
        Ok(ended.stdout)
    }

    fn measure(&self, program: Program, c: &Configuration, lines: String) -> Result<Ended> {
        let what = What::Driver(program, lines);
        self.execute(c, Work::new(what))
    }

    fn execute(&self, c: &Configuration, work: Work) -> Result<Ended> {
        let ended = self.target.run(c, work)?;
        self.programs.fetch_add(ended.programs, Ordering::Relaxed);
        if ended.status != 0 {
            return Err(Died::all(&ended).into());
        }
        Ok(ended)
    }
}
