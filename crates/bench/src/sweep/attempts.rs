//! What each operation of a fixed sequence takes, for operations that differ in the number of their attempts.

use super::results::Results;
use crate::case::{Case, Operation};
use crate::driver_protocol::{Job, Outcome};
use crate::requests::Jobs;
use crate::run::{Configuration, Runner};
use anyhow::Result;
use capvec_record::Cost;
use capvec_targets::backend::Method;

/// The operation whose attempts a case lists.
const REPEATED: Operation = Operation::Sign;

/// Whether a driver measures single operations of one of these cases.
pub fn has_attempts(cases: &[Case]) -> bool {
    cases.iter().any(|c| !c.attempts.is_empty())
}

/// Measures single operations. Does nothing where times are measured: one operation is too short for that.
///
/// # Errors
/// The guest cannot be run at all.
pub fn take(
    runner: &Runner,
    cases: &[&Case],
    c: &Configuration,
    results: &mut Results,
) -> Result<()> {
    if runner.target().method() != Method::Counted {
        return Ok(());
    }
    let with = cases.iter().copied().enumerate().filter(|(_, c)| !c.attempts.is_empty());
    let with: Vec<(usize, &Case)> = with.collect();
    let cases = with.iter().map(|(_, case)| *case);
    let groups: Vec<Vec<Job>> =
        cases.map(|c| vec![Job::Each(c, REPEATED, c.attempts.len())]).collect();
    if groups.is_empty() {
        return Ok(());
    }
    let outcomes = runner.run(c, Jobs(&groups))?;
    for ((place, case), outcome) in with.iter().zip(outcomes) {
        let Ok([Outcome::Each(Ok(taken))]) = outcome.as_deref() else { continue };
        let found = results.cases.get_mut(*place).into_iter().flat_map(|r| &mut r.measures);
        for m in found.filter(|m| m.direction == REPEATED && m.taken.is_ok()) {
            let cost = |([insns, cycles], attempts): (&[u64; 2], &u32)| Cost {
                insns: *insns as f64,
                cycles: *cycles as f64,
                attempts: *attempts,
            };
            m.each = taken.iter().zip(&case.attempts).map(cost).collect();
        }
    }
    Ok(())
}
