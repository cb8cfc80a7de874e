//! `capvec sweep merge`.

use super::{Place, command, read};
use crate::cmd::bench::show;
use crate::cmd::flags::Format;
use crate::cmd::{Usage, say, usage};
use anyhow::Result;
use capvec_sweep::{Merged, merge};
use capvec_util::atomic_file;
use std::path::PathBuf;
use std::process::ExitCode;

/// Missing jobs that are shown.
const SHOWN: usize = 10;

/// Make one record of all results of a plan
///
/// The record is the same to the byte, wherever and in whichever order its jobs ran. Results of different libraries or versions are
/// refused. Exit status 1 if a job has no result, unless --partial, or an answer is wrong.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec sweep merge jobs --out out/sweep\n  \
    capvec sweep merge jobs --results /shared/dir --format csv")]
pub struct Args {
    /// Plan that `capvec sweep plan` wrote
    plan: PathBuf,
    #[command(flatten)]
    place: Place,
    /// Also write results.csv, record.json and table.md to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Accept that jobs have no result yet
    #[arg(long)]
    partial: bool,
}

/// Runs the sub-command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let plan = read(&args.plan)?;
    let Merged { record, missing } = merge(&plan, &args.place.existing()?).map_err(usage)?;
    if !missing.is_empty() {
        say!(
            "{} of {} jobs have no result; `capvec sweep work` runs them:",
            missing.len(),
            plan.jobs.len()
        );
        for job in missing.iter().take(SHOWN) {
            say!("  {}", command(job));
        }
        if !args.partial {
            return Ok(ExitCode::from(1));
        }
    }
    let record = record
        .ok_or_else(|| Usage("no job has a result; `capvec sweep work` runs them".into()))?
        .evaluate()?;
    args.out.as_ref().map_or(Ok(()), |dir| atomic_file::prepare(dir))?;
    show(&record, args.format, args.out.as_deref())
}
