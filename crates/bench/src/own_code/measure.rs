//! Measures code of the user's own: `capvec measure`.

use super::protocol::{self, Measured, Printed};
use super::{Plan, Run, hart};
use crate::core_record;
use anyhow::{Result, bail};
use capvec_guest::{Mode, OwnCode};
use capvec_record::view::calls::CALL;
use capvec_record::{ConfigurationRecord, Kind, Record, Row, SCHEMA, TargetRecord, method};
use capvec_targets::host;
use capvec_util::pool;

/// Measures on all processors; `progress` is called after each run. A call that goes wrong, or whose known answer is wrong, has the
/// reason instead of a figure. Also returns a sentence for each call that does not always take the same number of instructions.
///
/// # Errors
/// A set is unknown, a guest could not be started, or the program measures nothing.
pub fn run(
    plan: &Plan,
    code: &OwnCode,
    tool: &str,
    progress: &(dyn Fn() + Sync),
) -> Result<(Record, Vec<String>)> {
    let runs = plan.runs()?;
    let printed = pool::each(&runs, |run| {
        let exit = code.run(run.core, hart(run), Mode::Measure, &plan.bytes, plan.timeout)?;
        progress();
        Ok(protocol::read(&exit))
    })?;
    let titles = titles(&printed);
    if titles.is_empty() {
        let why = printed.into_iter().find_map(|p| p.ended);
        bail!(why.unwrap_or_else(|| "the program measures nothing: use CAPVEC_MEASURE".into()));
    }
    let mut record = Record {
        schema: SCHEMA,
        tool: tool.into(),
        command: host::command(),
        machine: host::this(),
        method: method(Kind::Modelled).into(),
        target: TargetRecord {
            name: "sim".into(),
            kind: Kind::Modelled,
            architecture: "riscv64".into(),
            ..TargetRecord::default()
        },
        driver: code.id.clone(),
        self_check: "exact".into(),
        ..Record::default()
    };
    for core in &plan.cores {
        record.cores.push(core_record::record(core)?);
    }
    for (run, printed) in runs.iter().zip(&printed) {
        record.configurations.push(configuration(plan, run));
        record
            .rows
            .extend(titles.iter().map(|(title, bytes)| row(plan, run, title, *bytes, printed)));
    }
    let varying = runs.iter().zip(&printed).flat_map(|(run, printed)| varying(run, printed));
    Ok((record, varying.collect()))
}

/// Calls that differ.
fn varying(run: &Run<'_>, printed: &Printed) -> Vec<String> {
    let text = |m: &Measured| {
        let (least, most) = m.varies?;
        Some(format!(
            "{} of {} bytes takes {least} to {most} instructions ({}, VLEN {}): the figures are means",
            m.title, m.bytes, run.capset.name, run.core.vlen
        ))
    };
    printed.measured.iter().filter_map(text).collect()
}

fn configuration(plan: &Plan, run: &Run<'_>) -> ConfigurationRecord {
    ConfigurationRecord {
        subject: plan.subject.clone(),
        core: run.core.identity.label.clone(),
        vlen: run.core.vlen,
        capset: run.capset.name.clone(),
        hart: run.capset.exts.to_string(),
        reports_capabilities: Some(false),
        beyond_core: run.capset.beyond_core,
        ..ConfigurationRecord::default()
    }
}

fn row(plan: &Plan, run: &Run<'_>, title: &str, bytes: usize, printed: &Printed) -> Row {
    let core = run.core;
    let mut row = Row {
        target: "sim".into(),
        subject: plan.subject.clone(),
        core: core.identity.label.clone(),
        core_digest: core.identity.digest.clone(),
        vlen: core.vlen,
        case: title.into(),
        algorithm: title.into(),
        direction: CALL.into(),
        bytes,
        capset: run.capset.name.clone(),
        kind: Kind::Modelled,
        answers: "pass".into(),
        ..Row::default()
    };
    match found(printed, title, bytes) {
        Ok(m) => {
            row.insns_per_op = Some(m.insns);
            row.cycles_per_op = Some(m.cycles);
            row.ops_per_s = (m.cycles > 0.0).then(|| core.frequency as f64 / m.cycles);
            row.counter = "hart".into();
        }
        Err(why) => row.answers = why,
    }
    row
}

/// The measured calls of all runs, in the order in which they were made.
fn titles(printed: &[Printed]) -> Vec<(String, usize)> {
    let mut titles: Vec<(String, usize)> = Vec::new();
    for run in printed {
        let faults = run.faults.iter().filter(|f| f.bytes > 0).map(|f| (&f.title, f.bytes));
        let measured = run.measured.iter().map(|m| (&m.title, m.bytes));
        for (title, bytes) in measured.chain(faults) {
            if !titles.iter().any(|(t, b)| (t, *b) == (title, bytes)) {
                titles.push((title.clone(), bytes));
            }
        }
    }
    titles
}

/// The cost of a call, or why there is none: the call went wrong, or its known answer is wrong. A wrong known answer with a title
/// that no call has counts for all calls.
fn found<'p>(printed: &'p Printed, title: &str, bytes: usize) -> Result<&'p Measured, String> {
    let own = printed.faults.iter().find(|f| f.title == title && f.bytes == bytes);
    let answer = printed.faults.iter().find(|f| f.title == title && f.bytes == 0);
    if let Some(fault) = own.or(answer) {
        return Err(fault.what.clone());
    }
    let is_call = |title: &str| {
        let calls = printed.measured.iter().map(|m| &m.title);
        let faults = printed.faults.iter().filter(|f| f.bytes > 0).map(|f| &f.title);
        calls.chain(faults).any(|t| t == title)
    };
    let of_all = printed.faults.iter().filter(|f| f.bytes == 0 && !is_call(&f.title));
    let of_all: Vec<String> = of_all.map(|f| format!("{}: {}", f.title, f.what)).collect();
    if !of_all.is_empty() {
        return Err(of_all.join("; "));
    }
    (printed.measured.iter().find(|m| m.title == title && m.bytes == bytes))
        .ok_or_else(|| printed.ended.clone().unwrap_or_else(|| "not measured".into()))
}
