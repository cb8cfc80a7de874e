//! `capvec sweep work`.

use super::plan::parsed;
use super::{Place, command, families, read};
use crate::cmd::bench::{measure, prepare};
use crate::cmd::progress::bar;
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result};
use capvec_bench::replay::Member;
use capvec_sweep::{Job, Results, Share};
use capvec_util::pool;
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
    let bar = bar(args.quiet, open.len(), "jobs")?;
    let one = |job: &Job, member: Option<Member>| {
        let outcome = work(job, member, &results);
        bar.inc(1);
        Ok(outcome.err())
    };
    let workers = args.workers.map_or_else(pool::processors, usize::from);
    let mut outcomes = Vec::new();
    for batch in open.chunks(BATCH) {
        let batch: Vec<_> = batch.iter().zip(families::members(batch)).collect();
        // The first one of all fetches and compiles what they need.
        let (first, rest) = batch.split_at(outcomes.is_empty().into());
        for jobs in [first, rest] {
            outcomes.extend(pool::each_on(workers, jobs, |(job, m)| one(job, m.clone()))?);
        }
    }
    bar.finish_and_clear();
    let outcomes = open.iter().zip(outcomes);
    let failed: Vec<_> = outcomes.filter_map(|(job, e)| Some((job, e?))).collect();
    for (job, error) in &failed {
        say!("{error:#}\n  {}", command(job));
    }
    let measured = open.len() - failed.len();
    say!("{measured} jobs measured, {} were done before, {} failed", done.len(), failed.len());
    match failed.is_empty() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::from(1)),
    }
}

fn chosen(job: &Job, ids: &[String]) -> bool {
    ids.is_empty() || ids.iter().any(|id| job.id.starts_with(id.as_str()))
}

/// Measures a job and keeps its record.
fn work(job: &Job, member: Option<Member>, results: &Results) -> Result<()> {
    let recorded = measure(&parsed(&job.flags)?, member)?.context("nothing was measured")?;
    Ok(results.put(job, &recorded.record)?)
}
