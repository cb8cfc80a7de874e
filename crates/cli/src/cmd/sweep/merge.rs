//! `capvec sweep merge`.

use super::{Place, command, read};
use crate::cmd::bench::verdict;
use crate::cmd::flags::{Format, terminal_width};
use crate::cmd::{Usage, say, usage};
use anyhow::Result;
use capvec_record::view;
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
    let Merged { record, missing } = merge(&plan, &args.place.open()?).map_err(usage)?;
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
    if let Some(dir) = &args.out {
        atomic_file::prepare(dir)?;
        record.write(dir)?;
    }
    crate::cmd::print(&match args.format {
        Format::Table => view::text(&record, terminal_width())?,
        Format::Csv => record.csv(),
        Format::Json => record.json()?,
        Format::Md => view::markdown(&record)?,
    })?;
    Ok(verdict(&record))
}
