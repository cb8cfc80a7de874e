//! `capvec sweep work`.

use super::flags::parsed;
use super::{Place, command, families, read};
use crate::cmd::bench::{measure, prepare};
use crate::cmd::progress::bar;
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Error, Result};
use capvec_bench::replay::Member;
use capvec_sweep::{Job, Results, Share};
use capvec_util::pool;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::PathBuf;
use std::process::ExitCode;

/// Jobs whose cores are in memory at the same time.
const BATCH: usize = 1000;

/// Run jobs of a plan that have no result yet
///
/// Jobs that fail are listed at the end, each with the command that runs it by itself; the others still run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec sweep work jobs                        all jobs, on all processors\n  \
    capvec sweep work jobs --share 3/100          one of a hundred parts\n  \
    capvec sweep work jobs --job 5be2…            this job\n  \
    capvec sweep work jobs --results /shared/dir  with workers on other machines")]
pub struct Args {
    /// Plan that `capvec sweep plan` wrote
    plan: PathBuf,
    /// Only every N-th job, beginning with the I-th
    #[arg(long, value_name = "I/N")]
    share: Option<Share>,
    /// Only this job, by its id or the beginning of it; repeatable
    #[arg(long, value_name = "ID")]
    job: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// Number of jobs at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    workers: Option<u16>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the sub-command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let plan = read(&args.plan)?;
    let results = args.place.open()?;
    results.make().map_err(usage)?;
    let share = args.share.unwrap_or(Share::ALL);
    let mine = share.take(&plan.jobs).filter(|job| chosen(job, &args.job));
    let (done, mut open): (Vec<&Job>, Vec<&Job>) = mine.partition(|job| results.has(job));
    for id in &args.job {
        if !plan.jobs.iter().any(|job| job.id.starts_with(id)) {
            return Err(Usage(format!("--job {id}: the plan has no such job")).into());
        }
    }
    // All jobs have the same custom instructions.
    if let Some(job) = open.first() {
        prepare(&parsed(&job.flags)?)?;
    }
    families::sort(&mut open);
    let outcomes = Worker { args, results: &results }.all(&open)?;
    let another = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::WasDone)).count();
    let failure = |(job, outcome)| match outcome {
        Outcome::Failed(error) => Some((job, error)),
        Outcome::Measured | Outcome::WasDone => None,
    };
    let failed: Vec<(&&Job, Error)> = open.iter().zip(outcomes).filter_map(failure).collect();
    for (job, error) in &failed {
        say!("{error:#}\n  {}", command(job));
    }
    let measured = open.len() - failed.len() - another;
    let before = done.len() + another;
    say!("{measured} jobs measured, {before} were done before, {} failed", failed.len());
    match failed.is_empty() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::from(1)),
    }
}

fn chosen(job: &Job, ids: &[String]) -> bool {
    ids.is_empty() || ids.iter().any(|id| job.id.starts_with(id.as_str()))
}

/// How a job ended.
enum Outcome {
    Measured,
    /// Another worker has measured it since this one began.
    WasDone,
    Failed(Error),
}

/// Measures jobs.
struct Worker<'a> {
    args: &'a Args,
    results: &'a Results,
}

impl Worker<'_> {
    /// The outcomes of these jobs, in their order. Each worker begins at another job: of two that begin together at the same one, each
    /// would measure what the other is measuring.
    fn all(&self, open: &[&Job]) -> Result<Vec<Outcome>> {
        let bar = bar(self.args.quiet, open.len(), "jobs")?;
        let one = |(n, (job, member)): &(usize, (&&Job, Option<Member>))| {
            let outcome = self.one(job, member.clone());
            bar.inc(1);
            Ok((*n, outcome))
        };
        let workers = self.args.workers.map_or_else(pool::processors, usize::from);
        let mut batches: Vec<(usize, &[&Job])> = open.chunks(BATCH).enumerate().collect();
        rotate(&mut batches);
        let mut outcomes = Vec::new();
        for (number, batch) in batches {
            let jobs = batch.iter().zip(families::members(batch));
            let mut jobs: Vec<_> = (number * BATCH..).zip(jobs).collect();
            rotate(&mut jobs);
            // The first one of all fetches and compiles what they need.
            let (first, rest) = jobs.split_at(outcomes.is_empty().into());
            for jobs in [first, rest] {
                outcomes.extend(pool::each_on(workers, jobs, one)?);
            }
        }
        bar.finish_and_clear();
        outcomes.sort_by_key(|(n, _)| *n);
        Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
    }

    /// Measures a job and keeps its record, unless another worker has.
    fn one(&self, job: &Job, member: Option<Member>) -> Outcome {
        if self.results.has(job) {
            return Outcome::WasDone;
        }
        let measured = || -> Result<()> {
            let recorded =
                measure(&parsed(&job.flags)?, member)?.context("nothing was measured")?;
            Ok(self.results.put(job, &recorded.record)?)
        };
        measured().map_or_else(Outcome::Failed, |()| Outcome::Measured)
    }
}

/// Moves a part of the list, which is another one in each worker, to its end.
fn rotate<T>(all: &mut [T]) {
    let random = RandomState::new().build_hasher().finish() as usize;
    all.rotate_left(random % all.len().max(1));
}
