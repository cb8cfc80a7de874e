//! The output of a sweep: record.json, results.csv and table.md in the directory of `--out`, a table on standard output, and
//! the exit status.

use crate::cmd::flags::{Format, terminal_width};
use crate::cmd::say;
use anyhow::Result;
use capvec_record::view::{self, findings::findings};
use capvec_record::{Evaluated, Record};
use std::path::Path;
use std::process::ExitCode;

/// Prints a record in this format, after writing it to the directory of `--out`; returns the exit status.
pub fn show(record: &Evaluated, format: Format, out: Option<&Path>) -> Result<ExitCode> {
    if let Some(dir) = out {
        record.write(dir)?;
    }
    let text = match format {
        Format::Table => view::text(record, terminal_width())?,
        Format::Csv => record.csv(),
        Format::Json => record.json()?,
        Format::Md => view::markdown(record)?,
    };
    crate::cmd::print(&text)?;
    Ok(verdict(record))
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
