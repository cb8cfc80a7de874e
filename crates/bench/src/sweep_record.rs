//! The record of a sweep.

use crate::capset::Dispatch;
use crate::case::Case;
use crate::core_record;
use crate::run::Runner;
use crate::sweep::{Plan, Swept};
use anyhow::Result;
use capvec_isa::ExtSet;
use capvec_record::{Kind, NotOffered, Record, SCHEMA, method};
use capvec_targets::host;
use std::collections::BTreeMap;

/// Puts the facts of a sweep into a record; with `explain`, also the rules that explain what each extension adds.
/// [`Record::evaluate`] then computes what follows from them.
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
    // On other targets, a capability set may limit the library and not the hart.
    let explain = explain && swept.target.kind == Kind::Modelled;
    Ok(Record {
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
        not_offered: not_offered(runner, plan),
        configurations: swept.configurations,
        rows: swept.rows,
        dispatch: if explain { dispatch(plan)? } else { BTreeMap::new() },
        ..Record::default()
    })
}

/// The extensions that rules of the dispatch ask for, by case.
fn dispatch(plan: &Plan) -> Result<BTreeMap<String, Vec<Vec<String>>>> {
    let dispatch = Dispatch::load()?;
    let names = |rule: ExtSet| rule.iter().map(|e| e.name().to_string()).collect();
    let rules = |case: &Case| dispatch.asked(case).into_iter().map(names).collect();
    Ok(plan.cases.iter().map(|c| (c.id.clone(), rules(c))).collect())
}

/// What the library lacks of the requested cases.
fn not_offered(runner: &Runner, plan: &Plan) -> Vec<NotOffered> {
    let cases = plan.not_offered.clone();
    let subject = runner.subject().to_string();
    if cases.is_empty() { Vec::new() } else { vec![NotOffered { subject, cases }] }
}

/// Cases for which the gate has no vectors.
fn without_vectors(plan: &Plan) -> Vec<String> {
    let unchecked = plan.gate.iter().flat_map(|g| g.unchecked());
    unchecked.filter_map(|i| Some(plan.cases.get(i)?.id.clone())).collect()
}
