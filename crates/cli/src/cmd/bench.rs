//! `capvec bench`: the sweep.

mod args;
mod elsewhere;
mod plan;
mod simulated;
mod taken;

pub use args::Args;

use crate::cmd::flags::{Format, terminal_width};
use crate::cmd::{say, usage};
use anyhow::{Result, anyhow};
use capvec_bench::basis::at_vlen;
use capvec_bench::record::Record;
use capvec_bench::target::Choice;
use capvec_bench::{case, output, table};
use std::process::ExitCode;

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.list {
        crate::cmd::print(&list(&case::select(&args.cases).map_err(usage)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    if !args.set.is_empty() && args.target != Choice::Sim {
        return Err(usage(anyhow!("--set: a core model is for --target sim; leave it out")));
    }
    args.place().refuse(!args.vlen.is_empty(), !args.core.is_empty())?;
    let quiet = args.quiet;
    let taken = match args.target {
        Choice::Sim => simulated::run(&args, quiet)?,
        _ => elsewhere::run(&args, quiet)?,
    };
    let Some(taken) = taken else { return Ok(ExitCode::SUCCESS) };
    let code = show(&args, &taken.record)?;
    taken.finish()?;
    Ok(code)
}

/// Writes and prints a record; gives the exit status.
fn show(args: &Args, record: &Record) -> Result<ExitCode> {
    if let Some(dir) = &args.out {
        output::write(&dir.join("results.csv"), &record.csv())?;
        output::write(&dir.join("record.json"), &(serde_json::to_string_pretty(record)? + "\n"))?;
        output::write(&dir.join("table.md"), &table::markdown(record)?)?;
    }
    let text = match args.format {
        Format::Table => table::text(record, terminal_width())?,
        Format::Csv => record.csv(),
        Format::Json => serde_json::to_string_pretty(record)? + "\n",
        Format::Md => table::markdown(record)?,
    };
    crate::cmd::print(&text)?;
    Ok(verdict(record))
}

/// The cases, family by family.
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

/// 1 if an answer is wrong, the counter miscounts or the library does not do as it was told; says what, on standard error.
fn verdict(record: &Record) -> ExitCode {
    let mut failed = false;
    if !matches!(record.self_check.as_str(), "" | "exact") {
        say!("self-check of the instruction counter: {}", record.self_check);
        failed = true;
    }
    for what in &record.target.warnings {
        say!("warning: {what}");
    }
    for c in &record.configurations {
        if !c.unchanged.is_empty() {
            say!(
                "capability set {}: no other path is measured for {}, though they ask for what it lacks",
                c.capset,
                c.unchanged.join(", ")
            );
        }
        let Some(what) = &c.disagreement else { continue };
        say!("capability set {}{}: {what}", c.capset, at_vlen(c.vlen));
        // A library that was told nothing, or what the user wrote, is shown as it is.
        failed |= c.capstring.is_some() && !c.verbatim;
    }
    for r in record.rows.iter().filter(|r| !r.passed()) {
        let at = at_vlen(r.vlen);
        say!("{} {}{at} with {}: {}", r.case, r.direction, r.capset, r.answers);
        failed = true;
    }
    match (failed, has_figures(record)) {
        (true, _) => ExitCode::from(1),
        (false, false) => {
            say!("there is no figure: {}", record.counter());
            ExitCode::from(3)
        }
        (false, true) => ExitCode::SUCCESS,
    }
}

/// Whether anything came out.
fn has_figures(record: &Record) -> bool {
    record.rows.iter().chain(&record.speed).any(|r| r.rate().is_some())
}
