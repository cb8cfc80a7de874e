//! `capvec cache`: the results of sweeps that are kept.

use crate::cmd::sweep::Place;
use crate::cmd::{print, say};
use anyhow::Result;
use capvec_sweep::Kept;
use capvec_text::digits::space;
use std::process::ExitCode;
use std::time::Duration;

const DAY: u64 = 24 * 60 * 60;

/// List or remove the results that `capvec sweep work` has kept
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  capvec cache ls\n  capvec cache prune --older-than 30")]
pub struct Args {
    #[command(subcommand)]
    command: Sub,
}

#[derive(clap::Subcommand)]
enum Sub {
    /// List results: digest, size, age in days
    Ls {
        #[command(flatten)]
        place: Place,
    },
    /// Remove results
    Prune {
        #[command(flatten)]
        place: Place,
        /// Those written at least this many days ago; 0 for all
        #[arg(long, value_name = "DAYS")]
        older_than: u64,
        /// Only print what would be removed
        #[arg(long)]
        dry_run: bool,
    },
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Sub::Ls { place } => {
            let all = place.existing()?.all()?;
            let line = |k: &Kept| {
                format!("{}  {:>11}  {:>5}\n", k.id, space(k.bytes), k.age.as_secs() / DAY)
            };
            print(&all.iter().map(line).collect::<String>())?;
        }
        Sub::Prune { place, older_than, dry_run } => {
            let results = place.existing()?;
            let oldest = Duration::from_secs(older_than.saturating_mul(DAY));
            let old: Vec<Kept> = results.all()?.into_iter().filter(|k| k.age >= oldest).collect();
            if !dry_run {
                old.iter().try_for_each(|kept| results.remove(kept))?;
                results.tidy(oldest)?;
            }
            let removed = if dry_run { "would be removed" } else { "removed" };
            let bytes: u64 = old.iter().map(|k| k.bytes).sum();
            say!(
                "{} result{} ({}) {removed} from {}",
                old.len(),
                if old.len() == 1 { "" } else { "s" },
                space(bytes),
                capvec_text::escape::path(results.dir())
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}
