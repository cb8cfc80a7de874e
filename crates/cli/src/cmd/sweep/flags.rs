//! The flags of a job.

use crate::cmd::Usage;
use crate::cmd::bench::Args as Bench;
use anyhow::Result;
use clap::Parser;

/// The command line of a job.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Flags {
    #[command(flatten)]
    bench: Bench,
}

/// The flags of a job, as `capvec bench` takes them.
pub fn parsed(flags: &[String]) -> Result<Bench> {
    let flags = Flags::try_parse_from(flags).map_err(|e| {
        let text = e.to_string();
        // The second line, if it belongs to the first one, lists the valid values.
        let lines = text.lines().take(2).map(str::trim).take_while(|line| !line.is_empty());
        Usage(lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").into())
    })?;
    Ok(flags.bench)
}
