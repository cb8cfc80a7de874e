//! The record of a run.

use super::known_failures;
use super::rows::rows;
use super::run::{Configured, Plan};
use anyhow::Result;
use capvec_bench::run::Runner;
use capvec_record::kat::{Known, Record, SCHEMA};
use capvec_targets::host;

/// The record of a run.
///
/// # Errors
/// The library's version is not known.
pub fn record(
    tool: &str,
    plan: &Plan,
    configured: &[Configured],
    runner: &Runner,
) -> Result<Record> {
    let failed = configured.iter().flat_map(|c| &c.results).flatten();
    // Asking for the version starts a guest.
    let all = match failed.into_iter().any(|r| r.failure.is_some()) {
        true => known_failures::of(runner)?,
        false => Vec::new(),
    };
    let seen = |k: &Known| {
        configured.iter().any(|c| {
            let results = plan.vectors.vectors.iter().zip(&c.results);
            let mut failed =
                results.filter_map(|(v, r)| Some((v, r.as_ref()?.failure.as_deref()?)));
            failed.any(|(v, f)| known_failures::is(k, v, f, c.vlen, &c.capset))
        })
    };
    Ok(Record {
        schema: SCHEMA,
        tool: tool.into(),
        command: host::command(),
        machine: host::this(),
        target: runner.target().name().into(),
        subject: runner.subject().into(),
        packages: runner.packages().to_vec(),
        driver: runner.driver_id().into(),
        rows: rows(plan, configured, &all),
        known: all.iter().filter(|k| seen(k)).cloned().collect(),
    })
}
