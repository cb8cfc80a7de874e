//! `capvec sweep`: measurements that are too many for one command or one machine, as jobs that can run anywhere.

mod check;
mod families;
mod flags;
mod merge;
mod plan;
mod work;

use crate::cmd::setup::TOOL;
use crate::cmd::{Usage, usage};
use anyhow::{Context, Result};
use capvec_sweep::{Build, Job, Plan, Results};
use capvec_sysroot::Store;
use capvec_text::{escape, shell};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measure every combination of cores, parameters, capability sets, sizes …, on any number of machines
///
/// A file names the axes; every combination is a job, which is one command of `capvec bench` on a modelled core. Results are kept by
/// what they depend on, so a finished job is never run again, and the merged record does not depend on how the work was divided.
/// docs/sweeps.md shows how, with Slurm, Ray, GNU parallel and GitHub Actions.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    capvec sweep plan sweep.toml -o jobs\n  \
    capvec sweep work jobs\n  \
    capvec sweep merge jobs --out out/sweep && capvec report out/sweep")]
pub struct Args {
    #[command(subcommand)]
    command: Sub,
}

#[derive(clap::Subcommand)]
enum Sub {
    Plan(plan::Args),
    Work(work::Args),
    Merge(merge::Args),
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Sub::Plan(args) => plan::run(&args),
        Sub::Work(args) => work::run(&args),
        Sub::Merge(args) => merge::run(&args),
    }
}

/// Where results are kept.
#[derive(clap::Args)]
pub struct Place {
    /// Directory of results, which workers may share [default: results in capvec's store]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
}

impl Place {
    /// The results in a directory that must exist if the user named it.
    pub fn existing(&self) -> Result<Results> {
        if let Some(dir) = self.results.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(Usage(format!("--results {}: no such directory", escape::path(dir))).into());
        }
        self.open()
    }

    /// The results.
    pub fn open(&self) -> Result<Results> {
        match &self.results {
            Some(dir) => Ok(Results::at(dir)),
            None => Ok(Results::at(&Store::from_env()?.home().join("results"))),
        }
    }
}

/// The build that measures here: this program.
fn build() -> Result<Build> {
    let program = std::env::current_exe().context("finding the running program")?;
    Ok(Build { tool: TOOL.into(), program: capvec_util::digest(&program)? })
}

/// The plan in a file, if it was made by this build, from files that are still the same.
fn read(path: &Path) -> Result<Plan> {
    let name = escape::path(path);
    let remedy = "name the file that `capvec sweep plan -o` wrote";
    let text =
        std::fs::read_to_string(path).map_err(|e| Usage(format!("{name}: {e}; {remedy}")))?;
    let plan = Plan::parse(&name, &text).map_err(usage)?;
    plan.require(&name, &build()?).map_err(usage)?;
    for (file, planned) in &plan.head.files {
        let there = capvec_util::digest(Path::new(file)).map_err(|e| {
            Usage(format!("{name}: {e:#}; paths in a sweep count from the working directory"))
        })?;
        if there != *planned {
            let text =
                format!("{name}: {file} is not the file that the plan was made for; plan again");
            return Err(Usage(text).into());
        }
    }
    Ok(plan)
}

/// The command that runs a job by itself.
fn command(job: &Job) -> String {
    let words: Vec<_> = job.flags.iter().map(|word| shell::word(word)).collect();
    format!("capvec bench {}", words.join(" "))
}
