//! The record of a sweep.

use crate::capset::Dispatch;
use crate::core_record;
use crate::run::Runner;
use crate::sweep::{Plan, Swept};
use anyhow::Result;
use capvec_record::view::explain::{Rules, explanations};
use capvec_record::{Kind, Record, SCHEMA, method};
use capvec_targets::host;

/// Puts the facts of a sweep into a record, with what follows from them; with `explain`, also what each extension adds.
///
/// # Errors
/// A data file of this program cannot be read.
pub fn record(
    runner: &Runner,
    plan: &Plan,
    swept: Swept,
    tool: &str,
    explain: bool,
) -> Result<Record> {
    let core = runner.target().core().map(core_record::record).transpose()?;
    let mut record = Record {
        schema: SCHEMA,
        tool: tool.into(),
        command: host::command(),
        machine: host::this(),
        method: method(swept.target.kind).into(),
        target: swept.target,
        cores: core.into_iter().collect(),
        packages: runner.packages().to_vec(),
        driver: runner.driver_id().into(),
        self_check: swept.self_check,
        vectors: plan.gate.as_ref().map_or(0, |g| g.vectors()),
        without_vectors: without_vectors(plan),
        configurations: swept.configurations,
        rows: swept.rows,
        ..Record::default()
    };
    record.derive()?;
    // On another architecture, what a mask leaves out is not an extension of the hart.
    if explain && record.target.kind == Kind::Modelled {
        record.explanations = explanations(&record.rows, &record.configurations, &rules(plan)?);
    }
    Ok(record)
}

/// The dispatch rules, by case.
fn rules(plan: &Plan) -> Result<Rules> {
    let dispatch = Dispatch::load()?;
    Ok(plan.cases.iter().map(|c| (c.id.clone(), dispatch.asked(c))).collect())
}

/// Cases for which the gate has no vectors.
fn without_vectors(plan: &Plan) -> Vec<String> {
    let unchecked = plan.gate.iter().flat_map(|g| g.unchecked());
    unchecked.filter_map(|i| Some(plan.cases.get(i)?.id.clone())).collect()
}
