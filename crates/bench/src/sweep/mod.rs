//! The sweep of one command: every configuration runs once, in one guest for each driver that its jobs need. The sweeps of
//! `capvec sweep`, each of many commands, are in `crates/sweep`.

mod attempts;
mod gate;
mod layouts;
pub(crate) mod mix;
mod plan;
mod results;
mod rows;
mod shares;
mod target_facts;

use crate::capset::Wanted;
use crate::resume::Checkpoint;
use crate::run::{Configuration, Runner};
use anyhow::{Context, Result};
pub use attempts::has_attempts;
use capvec_record::{Arch, ConfigurationRecord, Kind};
use capvec_targets::probe;
use capvec_util::pool;
pub use gate::Gate;
pub use plan::{Plan, Swept};
pub use results::Results;
pub(crate) use results::groups;

/// Total bytes of messages in all guests that run at the same time.
const MESSAGES: usize = 2 << 30;

/// Runs the whole plan on all processors; `progress` is called after each configuration.
///
/// Configurations that the checkpoint has are taken from it; others are added to it as they finish.
///
/// # Errors
/// Names the configuration that could not be run at all. A guest that dies in a case counts as a wrong answer instead.
pub fn run(
    runner: &Runner,
    plan: &Plan,
    checkpoint: Option<&Checkpoint>,
    progress: &(dyn Fn() + Sync),
) -> Result<Swept> {
    let configurations = plan.configurations();
    // Timed work gets the machine to itself.
    let workers = if runner.target().kind() == Kind::Real { 1 } else { pool::processors() };
    // Each guest has a message of its own.
    let longest = plan.bytes.iter().copied().max().unwrap_or(0);
    let workers = workers.min(MESSAGES / longest.max(1)).max(1);
    let results = pool::each_on(workers, &configurations, |(vlen, wanted)| {
        let result = one(runner, plan, checkpoint, *vlen, wanted);
        progress();
        result
    })?;
    gather(runner, plan, configurations.into_iter().zip(results))
}

fn one(
    runner: &Runner,
    plan: &Plan,
    checkpoint: Option<&Checkpoint>,
    vlen: u32,
    wanted: &Wanted,
) -> Result<Results> {
    let fresh = || {
        measure(runner, plan, vlen, wanted)
            .with_context(|| format!("capability set {}, VLEN {vlen}", wanted.capset.name))
    };
    let also = [plan.mix.into(), plan.functions.into(), plan.layouts];
    let key = || results::key(&plan.cases_of(wanted), &plan.bytes, vlen, &wanted.capset, also);
    Checkpoint::get_or_run(checkpoint, key, fresh)
}

/// Figures, known answers and vectors.
fn measure(runner: &Runner, plan: &Plan, vlen: u32, wanted: &Wanted) -> Result<Results> {
    let c = Configuration::new(vlen, wanted.capset.clone());
    let cases = plan.cases_of(wanted);
    let mut results = match plan.layouts {
        0 => Results::measure(runner, &cases, &plan.bytes, &c)?,
        count => layouts::measure(runner, &cases, &plan.bytes, &c, count)?,
    };
    attempts::take(runner, &cases, &c, &mut results)?;
    if plan.mix {
        mix::take(runner, &cases, &plan.bytes, &c, &mut results)?;
    }
    if plan.functions {
        shares::take(runner, &cases, &c, &mut results)?;
    }
    if let Some(gate) = &plan.gate {
        let check = || gate.check(runner, &c, &wanted.cases);
        results.add(match runner.family() {
            Some(family) => {
                family.checked(&runner.library_id(), &c, (&gate.id(), &wanted.cases), check)?
            }
            None => check()?,
        });
    }
    Ok(results)
}

/// Collects the figures of all configurations.
fn gather<'a>(
    runner: &Runner,
    plan: &Plan,
    results: impl Iterator<Item = ((u32, &'a Wanted), Results)>,
) -> Result<Swept> {
    let modelled = runner.target().kind() == Kind::Modelled;
    // On other targets, the target's record has the check of its counter.
    let self_check = if modelled { "exact".into() } else { String::new() };
    let mut swept = Swept { self_check, ..Swept::default() };
    for ((vlen, wanted), result) in results {
        let capset = &wanted.capset;
        if swept.configurations.is_empty() {
            swept.target = target_facts::describe(runner, &result)?;
        }
        if let (Err(what), true) = (&result.self_check, modelled) {
            swept.self_check = format!("{what} (capability set {}, VLEN {vlen})", capset.name);
        }
        let report = result.probe.library_report();
        let kind = runner.target().library_kind();
        let capstring = capset.capstring_for(kind);
        swept.configurations.push(ConfigurationRecord {
            subject: runner.subject().into(),
            core: runner.core_name().into(),
            vlen,
            capset: capset.name.clone(),
            capstring: capstring.map(String::from),
            hart: match &capset.masked {
                Some(masked) => masked.names.join(" "),
                None => capset.exts.to_string(),
            },
            expected: capset.expected.to_string(),
            library: result.probe.library.clone(),
            reports_capabilities: Some(ConfigurationRecord::reports(&result.probe.library)),
            disagreement: match &capset.masked {
                Some(masked) => masked.disagreement(&result.probe),
                None if kind.packaged().is_some() || runner.target().arch() != Arch::Riscv64 => {
                    None
                }
                None => probe::disagreement(report, capset.expected, vlen, capstring),
            },
            beyond_core: capset.beyond_core,
            verbatim: capset.is_verbatim(),
            warnings: capset.warnings_for(runner.has_libcapvec()),
            unchanged: Vec::new(),
        });
        let cases = plan.cases_of(wanted);
        swept.rows.extend(rows::rows(runner, &cases, vlen, capset, &result));
    }
    if !modelled {
        target_facts::check(runner, plan, &mut swept)?;
    }
    Ok(swept)
}
