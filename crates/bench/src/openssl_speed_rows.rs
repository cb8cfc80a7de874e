//! Stock `openssl speed` through its command line: the program that produced the published tables. Its clock is the
//! core's, so it prints the modelled core's speed.

use crate::requests::Command;
use crate::run::{Configuration, Runner};
use crate::sweep::Plan;
use anyhow::{Context, Result};
use capvec_record::{Row, subject};
use capvec_util::pool;

/// What one run of the program measures.
struct Task {
    configuration: Configuration,
    args: Vec<String>,
    /// The driver's row for the same case, set and size.
    row: Row,
}

/// The driver's rows that the program can measure too: it encrypts and hashes messages.
fn tasks(plan: &Plan, rows: &[Row]) -> Vec<Task> {
    let task = |row: &Row| {
        let case = plan.cases.iter().find(|c| c.id == row.case)?;
        let wanted = plan.wanted.iter().find(|w| w.capset.name == row.capset)?;
        let configuration = Configuration::new(row.vlen, wanted.capset.clone());
        let fits = row.bytes > 0 && row.direction == "enc" && !case.speed.is_empty();
        fits.then(|| Task {
            configuration,
            args: arguments(&case.speed, row.bytes, 1),
            row: row.clone(),
        })
    };
    rows.iter().filter_map(task).collect()
}

/// The command: it runs for these seconds of the core's time, with machine-readable output.
pub(crate) fn arguments(case: &[String], bytes: usize, seconds: u64) -> Vec<String> {
    let (bytes, seconds) = (bytes.to_string(), seconds.to_string());
    let fixed = ["openssl", "speed", "-mr", "-seconds", &seconds, "-bytes", bytes.as_str()];
    fixed.iter().map(|s| s.to_string()).chain(case.iter().cloned()).collect()
}

/// Bytes per second: the last field of the last line of results (`+F:index:name:speed`, openssl-speed, `-mr`).
pub(crate) fn parse(output: &str) -> Option<f64> {
    let line = output.lines().rfind(|l| l.starts_with("+F:"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

fn one(runner: &Runner, task: &Task) -> Result<Row> {
    let what = || format!("{}, capability set {}", task.args.join(" "), task.row.capset);
    // A case with wrong answers gets no figure here either.
    let stated_kbps = if task.row.passed() {
        let output =
            runner.run(&task.configuration, Command(task.args.clone())).with_context(what)?.stdout;
        let speed = parse(&output).context("it printed no figure").with_context(what)?;
        Some(speed / 1e3)
    } else {
        None
    };
    Ok(Row {
        subject: subject::SPEED.into(),
        insns_per_op: None,
        cycles_per_op: None,
        ops_per_s: None,
        stated_kbps,
        ..task.row.clone()
    })
}

/// Runs the program for every row of the driver that it can measure, on all processors of the host.
///
/// # Errors
/// Names the command that failed.
pub fn measure(runner: &Runner, plan: &Plan, rows: &[Row]) -> Result<Vec<Row>> {
    pool::each(&tasks(plan, rows), |task| one(runner, task))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_is_the_last_field_of_the_last_result() {
        let text = "+H:16384\n+DT:sha256:1:16384\n+R:12:sha256:1.0\n+F:8:sha256:2397530.21\n";
        assert_eq!(parse(text), Some(2397530.21));
        assert_eq!(parse("+H:16384\n"), None);
        assert_eq!(parse("+F:8:sha256:none\n"), None);
    }
}
