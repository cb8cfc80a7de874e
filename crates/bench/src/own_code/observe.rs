//! Runs code of the user's own with an engine that observes it.

use super::{Plan, hart};
use anyhow::Result;
use capvec_guest::OwnCode;
use capvec_linux::Options;
use capvec_sim::Engine;
use capvec_timing::Core;
use capvec_util::pool;

/// What was observed in a run.
pub struct Observed<R> {
    /// The core, with its VLEN.
    pub core: Core,
    /// The capability set.
    pub capset: String,
    /// What was observed.
    pub found: R,
}

/// Makes an engine for a core with an observer, and connects it to the options.
pub type Connect<'a, T> = dyn Fn(&Core, &mut Options) -> (Box<dyn Engine>, T) + Sync + 'a;

/// Runs everything that the plan measures, on all processors. `finish` takes what the observer found; `progress` is called after each run.
///
/// # Errors
/// A set is unknown, or a guest could not be started.
pub fn run<T, R: Send>(
    plan: &Plan,
    code: &OwnCode,
    engine: &Connect<'_, T>,
    finish: &(dyn Fn(T) -> R + Sync),
    progress: &(dyn Fn() + Sync),
) -> Result<Vec<Observed<R>>> {
    let one = |run: &super::Run<'_>| {
        let connect = |options: &mut Options| engine(run.core, options);
        let (_, found) =
            code.observe(run.core, hart(run), &plan.bytes, plan.timeout, connect, finish)?;
        progress();
        Ok(Observed { core: run.core.clone(), capset: run.capset.name.clone(), found })
    };
    pool::each(&plan.runs()?, one)
}
