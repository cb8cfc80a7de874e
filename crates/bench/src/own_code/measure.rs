//! Measures code of the user's own: `capvec measure`.

use super::{Plan, Run, ended, hart};
use crate::core_record;
use anyhow::{Result, bail};
use capvec_guest::{Mode, OwnCode};
use capvec_linux::Exit;
use capvec_record::view::calls::CALL;
use capvec_record::{ConfigurationRecord, Kind, Record, Row, SCHEMA, TargetRecord, method};
use capvec_targets::host;
use capvec_util::pool;

/// What a run printed.
#[derive(Debug, Default, PartialEq)]
struct Printed {
    /// Titles of checks that failed.
    failed: Vec<String>,
    measured: Vec<Measured>,
}

/// A measurement for one size.
#[derive(Debug, PartialEq)]
struct Measured {
    title: String,
    bytes: usize,
    insns: f64,
    cycles: f64,
}

/// Measures on all processors; `progress` is called after each run. A set on which the code crashes, or on which a check fails, has
/// no figures, but the reason.
///
/// # Errors
/// A set is unknown, a guest could not be started, or the program measures nothing.
pub fn run(
    plan: &Plan,
    code: &OwnCode,
    tool: &str,
    progress: &(dyn Fn() + Sync),
) -> Result<Record> {
    let runs = plan.runs()?;
    let printed = pool::each(&runs, |run| {
        let exit = code.run(run.core, hart(run), Mode::Measure, &plan.bytes, plan.timeout)?;
        progress();
        Ok(printed(&exit))
    })?;
    let mut titles: Vec<(String, usize)> = Vec::new();
    for measured in printed.iter().flatten().flat_map(|p| &p.measured) {
        let key = (measured.title.clone(), measured.bytes);
        if !titles.contains(&key) {
            titles.push(key);
        }
    }
    if titles.is_empty() {
        let why = printed.into_iter().find_map(Result::err);
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
    Ok(record)
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

fn row(
    plan: &Plan,
    run: &Run<'_>,
    title: &str,
    bytes: usize,
    printed: &Result<Printed, String>,
) -> Row {
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
    let found = match printed {
        Err(why) => Err(why.clone()),
        Ok(p) if !p.failed.is_empty() => Err(format!("check failed: {}", p.failed.join(", "))),
        Ok(p) => (p.measured.iter().find(|m| m.title == title && m.bytes == bytes))
            .ok_or_else(|| "not measured".to_string()),
    };
    match found {
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

/// What a run printed, or why it ended before its end.
fn printed(exit: &Exit) -> Result<Printed, String> {
    let text = String::from_utf8_lossy(&exit.stdout);
    if exit.status.code() != 0 {
        let said = String::from_utf8_lossy(&exit.stderr);
        let said = said.trim();
        let separator = if said.is_empty() { "" } else { ": " };
        return Err(format!("{}{separator}{said}", ended(exit.status)));
    }
    let mut printed = Printed::default();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["capvec-check", title, "fail"] => printed.failed.push(title.into()),
            ["capvec-measure", title, bytes, calls, insns, cycles] => {
                let number = |text: &str| text.parse::<f64>().map_err(|e| format!("{line:?}: {e}"));
                let calls = number(calls)?;
                printed.measured.push(Measured {
                    title: title.into(),
                    bytes: number(bytes)? as usize,
                    insns: number(insns)? / calls,
                    cycles: number(cycles)? / calls,
                });
            }
            // Whatever else the user's code prints.
            _ => {}
        }
    }
    Ok(printed)
}
