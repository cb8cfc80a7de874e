//! `capvec bench`: the sweep.

mod args;
mod plan;
mod taken;
mod walk;

pub use args::Args;

use crate::cmd::flags::{Format, terminal_width};
use crate::cmd::{say, usage};
use anyhow::Result;
use capvec_bench::case;
use capvec_record::Record;
use capvec_record::atomic_file;
use capvec_record::view::{self, findings::findings};
use std::process::ExitCode;

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.list {
        crate::cmd::print(&list(&case::select(&args.cases).map_err(usage)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(taken) = walk::run(&args, args.quiet)? else { return Ok(ExitCode::SUCCESS) };
    let code = show(&args, &taken.record)?;
    taken.finish()?;
    Ok(code)
}

/// Writes and prints a record; returns the exit status.
fn show(args: &Args, record: &Record) -> Result<ExitCode> {
    if let Some(dir) = &args.out {
        atomic_file::write(&dir.join("results.csv"), &record.csv())?;
        atomic_file::write(
            &dir.join("record.json"),
            &(serde_json::to_string_pretty(record)? + "\n"),
        )?;
        atomic_file::write(&dir.join("table.md"), &view::markdown(record)?)?;
    }
    let text = match args.format {
        Format::Table => view::text(record, terminal_width())?,
        Format::Csv => record.csv(),
        Format::Json => serde_json::to_string_pretty(record)? + "\n",
        Format::Md => view::markdown(record)?,
    };
    crate::cmd::print(&text)?;
    Ok(verdict(record))
}

/// Lists the cases, family by family.
fn list(cases: &[case::Case]) -> String {
    let mut text = String::new();
    let mut family = String::new();
    for c in cases {
        if c.family != family {
            text += &format!("{}{}\n", if family.is_empty() { "" } else { "\n" }, c.family);
            family = c.family.clone();
        }
        let operations: Vec<_> = c.operations.iter().map(|o| o.name()).collect();
        let when = if c.on_demand { " Takes minutes: not in all and pkey." } else { "" };
        text += &format!("  {:<20} {:<22} {}{when}\n", c.id, operations.join(" "), c.why);
    }
    text
}

/// Reports failures on standard error. Returns 1 if an answer is wrong, the counter miscounts or the library ignores
/// its configuration; 3 if there is no figure.
fn verdict(record: &Record) -> ExitCode {
    let findings = findings(record);
    // Expected findings were reported earlier.
    for finding in findings.iter().filter(|f| !f.foreseen) {
        let warning = if finding.fails { "" } else { "warning: " };
        say!("{warning}{}", finding.text);
    }
    match (findings.iter().any(|f| f.fails), has_figures(record)) {
        (true, _) => ExitCode::from(1),
        (false, false) => {
            say!("there is no figure: {}", record.counter());
            ExitCode::from(3)
        }
        (false, true) => ExitCode::SUCCESS,
    }
}

/// Whether there is any figure.
fn has_figures(record: &Record) -> bool {
    record.rows.iter().chain(&record.speed).any(|r| r.rate().is_some())
}
