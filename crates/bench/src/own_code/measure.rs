//! Measures code of the user's own: `capvec measure`.

use super::protocol::{self, Measured, Printed};
use super::{Plan, Run, hart, layouts};
use crate::core_record;
use anyhow::{Result, bail};
use capvec_guest::{Mode, OwnCode};
use capvec_record::view::calls::CALL;
use capvec_record::{
    ConfigurationRecord, Kind, PASS, Record, Row, SCHEMA, TargetRecord, UNCHECKED, method,
};
use capvec_targets::host;
use capvec_util::pool;

/// What was measured.
pub struct Outcome {
    /// The figures. A call that goes wrong, or whose known answer is wrong, has the reason instead.
    pub record: Record,
    /// A sentence for each call that does not always take the same number of instructions.
    pub varying: Vec<String>,
    /// Whether figures are missing only because a run did not come to its end.
    pub unfinished: bool,
}

/// Measures on all processors; `progress` is called after each run.
///
/// # Errors
/// A set is unknown, a guest could not be started, or the program measures nothing.
pub fn run(
    plan: &Plan,
    code: &OwnCode,
    tool: &str,
    progress: &(dyn Fn() + Sync),
) -> Result<Outcome> {
    let runs = plan.runs()?;
    let printed = pool::each(&runs, |run| {
        let one = |layout| -> Result<Printed> {
            let (mode, bytes) = (Mode::Measure, &plan.bytes);
            let exit = code.run(run.core, hart(run), mode, bytes, plan.timeout, layout)?;
            Ok(protocol::read(&exit))
        };
        let printed = match plan.layouts {
            0 => one(None)?,
            count => {
                layouts::merged((0..count).map(|seed| one(Some(seed))).collect::<Result<_>>()?)
            }
        };
        progress();
        Ok(printed)
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
        for title in &titles {
            record.rows.extend(plan.bytes.iter().map(|b| row(plan, run, title, *b, printed)));
        }
    }
    let varying = runs.iter().zip(&printed).flat_map(|(run, printed)| varying(run, printed));
    Ok(Outcome { record, varying: varying.collect(), unfinished: unfinished(&printed) })
}

/// Whether a run ended early, and nothing else is wrong.
fn unfinished(printed: &[Printed]) -> bool {
    let wrong = |p: &Printed| p.faults.iter().any(|f| Some(&f.what) != p.ended.as_ref());
    printed.iter().any(|p| p.ended.is_some()) && !printed.iter().any(wrong)
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
        answers: if is_checked(printed, title) { PASS } else { UNCHECKED }.into(),
        ..Row::default()
    };
    match found(printed, title, bytes) {
        Ok(m) => {
            row.insns_per_op = Some(m.insns);
            row.cycles_per_op = Some(m.cycles);
            row.ops_per_s = (m.cycles > 0.0).then(|| core.frequency as f64 / m.cycles);
            row.counter = "hart".into();
            row.cycles_by_layout.clone_from(&m.cycles_by_layout);
        }
        Err(why) => row.answers = why,
    }
    row
}

/// The titles of all measurements, in order.
fn titles(printed: &[Printed]) -> Vec<String> {
    let mut titles = Vec::new();
    for title in printed.iter().flat_map(|run| &run.titles) {
        if !titles.contains(title) {
            titles.push(title.clone());
        }
    }
    titles
}

/// Whether a known answer vouches for a call: one of its title, or one with a title that no call has.
fn is_checked(printed: &Printed, title: &str) -> bool {
    let right = &printed.right;
    right.contains(title) || right.iter().any(|answer| !printed.titles.contains(answer))
}

/// The cost of a call, or why there is none: the call went wrong, or its known answer is wrong. A wrong known answer with a title
/// that no call has counts for all calls.
fn found<'p>(printed: &'p Printed, title: &str, bytes: usize) -> Result<&'p Measured, String> {
    let own = printed.faults.iter().find(|f| f.title == title && f.bytes == bytes);
    let answer = printed.faults.iter().find(|f| f.title == title && f.bytes == 0);
    if let Some(fault) = own.or(answer) {
        return Err(fault.what.clone());
    }
    let is_call = |title: &String| printed.titles.contains(title);
    let of_all = printed.faults.iter().filter(|f| f.bytes == 0 && !is_call(&f.title));
    let of_all: Vec<String> = of_all.map(|f| format!("{}: {}", f.title, f.what)).collect();
    if !of_all.is_empty() {
        return Err(of_all.join("; "));
    }
    (printed.measured.iter().find(|m| m.title == title && m.bytes == bytes))
        .ok_or_else(|| printed.why_not_made())
}
