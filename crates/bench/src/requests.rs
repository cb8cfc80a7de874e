//! What a [`Runner`] is asked for: groups of jobs, checks of vectors, programs of the target.

use crate::capset::CapSet;
use crate::case::Kind;
use crate::configuration::Configuration;
use crate::driver_protocol::{Job, lines};
use crate::process_end::{Died, GroupOutcome, outcomes};
use crate::run::{Runnable, Runner};
use anyhow::{Context, Error, Result};
use capvec_guest::{LONGEST, Program};
use capvec_sim::hart::Agnostic;
use capvec_targets::backend::counter_reads::Mark;
use capvec_targets::backend::{Count, Ended, Work};
use capvec_targets::{Feature, SubjectName, TargetName};

/// Groups of jobs. Start-up is paid once; then each group has a process of its own, forked from the same state with cold caches,
/// so that its cost depends on its own jobs only.
///
/// Running them fails with [`Died`] if the driver ends before the last group, or with the request that the driver does not
/// understand.
pub struct Jobs<'a, 'j>(pub &'a [Vec<Job<'j>>]);

impl Runnable for Jobs<'_, '_> {
    type Answer = Vec<GroupOutcome>;

    fn run_by(self, runner: &Runner, c: &Configuration) -> Result<Vec<GroupOutcome>> {
        let method = runner.target().method();
        let mut by_program = Vec::new();
        for program in MEASURING {
            let own = self.0.iter().filter(|g| program_for(g) == program);
            let own: Vec<Vec<Job>> = own.cloned().collect();
            if !own.is_empty() {
                let replayed = match program {
                    Program::Measure => runner.replayed(c, &own)?,
                    _ => None,
                };
                let outcomes = match replayed {
                    Some(outcomes) => outcomes,
                    None => {
                        let work = Work::driver(program, lines(&own, method));
                        outcomes(&own, &runner.run(c, work)?, method)?
                    }
                };
                by_program.push((program, outcomes.into_iter()));
            }
        }
        let next = |g: &Vec<Job>| {
            let own = by_program.iter_mut().find(|(program, _)| program_for(g) == *program);
            own.and_then(|(_, outcomes)| outcomes.next())
        };
        self.0.iter().map(next).collect::<Option<Vec<_>>>().context("a group has no outcome")
    }
}

/// As [`Jobs`], with the counts of each group at each read of its own counter. Slow: everything is interpreted.
pub struct MarkedJobs<'a, 'j>(pub &'a [Vec<Job<'j>>]);

impl Runnable for MarkedJobs<'_, '_> {
    type Answer = (Vec<GroupOutcome>, Vec<Mark>);

    fn run_by(self, runner: &Runner, c: &Configuration) -> Result<Self::Answer> {
        // Marks come in the order of the groups, so one driver takes all groups; both drivers execute the same code.
        let long = |g: &Vec<Job>| program_for(g) == Program::MeasureLong;
        let long = self.0.iter().any(long);
        let program = if long { Program::MeasureLong } else { Program::Measure };
        let method = runner.target().method();
        let work = Work::driver(program, lines(self.0, method));
        let ended = runner.run(c, Work { count: Count::AtReads, ..work })?;
        Ok((outcomes(self.0, &ended, method)?, ended.marks))
    }
}

/// Groups of lines for the checking driver, with this policy for agnostic elements. The result is its answers; for a group whose
/// process ends early, the answers until then and the reason.
pub struct Checks<'a> {
    /// The groups.
    pub groups: &'a [Vec<String>],
    /// The policy.
    pub agnostic: Agnostic,
}

impl Runnable for Checks<'_> {
    type Answer = Vec<(Vec<String>, Option<Died>)>;

    fn run_by(self, runner: &Runner, c: &Configuration) -> Result<Self::Answer> {
        let text = |g: &Vec<String>| g.iter().map(|l| format!("{l}\n")).collect::<String>() + "\n";
        let work = Work::driver(Program::Check, self.groups.iter().map(text).collect());
        let ended = runner.run(c, Work { agnostic: self.agnostic, ..work })?;
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
        Ok(self.groups.iter().map(read).collect())
    }
}

/// A program of the target with its arguments. Targets without [`Feature::Speed`] refuse it.
pub struct Command(pub Vec<String>);

impl Runnable for Command {
    type Answer = Ended;

    fn run_by(self, runner: &Runner, c: &Configuration) -> Result<Ended> {
        match runner.target().command(&c.limits(), self.0) {
            Some(ended) => runner.succeeded(ended?),
            None => Err(drivers_only(runner.target().name(), runner.subject())),
        }
    }
}

/// The error for a target that runs no programs of its own.
fn drivers_only(target: &str, subject: &str) -> Error {
    let subject = subject.parse().unwrap_or_else(|_| SubjectName::File(subject.into()));
    match target.parse::<TargetName>() {
        Ok(target) => target.refused(&subject, Feature::Speed).into(),
        Err(wrong) => Error::msg(wrong),
    }
}

/// The drivers that measure.
const MEASURING: [Program; 4] =
    [Program::Measure, Program::MeasureLong, Program::MeasureEach, Program::MeasureTls];

/// The driver for a group of jobs.
pub(crate) fn program_for(group: &[Job]) -> Program {
    let program = |job: &Job| match job {
        Job::Each(..) => Some(Program::MeasureEach),
        Job::Measure(case, ..) | Job::Answer(case, _) if case.kind == Kind::Tls => {
            Some(Program::MeasureTls)
        }
        Job::Measure(_, _, bytes, _) if *bytes > LONGEST => Some(Program::MeasureLong),
        _ => None,
    };
    group.iter().find_map(program).unwrap_or(Program::Measure)
}

impl Runner {
    /// Version of OpenSSL, such as `3.5.7`, as the checking driver expects it; the library is asked once.
    ///
    /// # Errors
    /// As [`Runner::run`].
    pub fn version(&self) -> Result<&str> {
        if let Some(version) = self.version.get() {
            return Ok(version);
        }
        let capset = CapSet::parse("auto", self.isa())?;
        let c = Configuration::new(self.vlen(), capset);
        let groups = [vec!["version".to_string()]];
        let answers = self.run(&c, Checks { groups: &groups, agnostic: Agnostic::default() })?;
        let line = answers.first().and_then(|(lines, _)| lines.first());
        let version = line.and_then(|l| l.strip_prefix("version "));
        let version = version.context("the driver does not report the library's version")?;
        Ok(self.version.get_or_init(|| version.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_without_programs_refuses_them_as_the_command_line_does() {
        assert_eq!(
            drivers_only("qemu:riscv64", "openssl:asm").to_string(),
            "--speed: --target qemu:riscv64 cannot run `openssl speed` in modelled time (subject: openssl:asm); \
             --target sim with --subject openssl can"
        );
    }
}
