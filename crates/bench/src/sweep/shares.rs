//! In which functions each measured operation spends its cycles.

use super::results::Results;
use crate::case::Case;
use crate::driver_protocol::Job;
use crate::functions;
use crate::run::{Configuration, Runner};
use anyhow::Result;

/// Divides everything that was measured.
///
/// # Errors
/// The guest cannot be run at all.
pub fn take(
    runner: &Runner,
    cases: &[&Case],
    c: &Configuration,
    results: &mut Results,
) -> Result<()> {
    for (case, result) in cases.iter().zip(&mut results.cases) {
        for m in result.measures.iter_mut().filter(|m| m.taken.is_ok()) {
            m.functions =
                functions::of(runner, c, &Job::Measure(case, m.direction, m.bytes, m.repeats))?;
        }
    }
    Ok(())
}
