//! Figures from counts.

use super::results::{CaseResult, Measure, Results};
use crate::capset::CapSet;
use crate::case::{Case, Operation};
use crate::published;
use crate::record::Row;
use crate::run::Runner;
use anyhow::Result;
use std::collections::HashMap;

/// The rows of one configuration.
pub fn rows(
    runner: &Runner,
    cases: &[&Case],
    vlen: u32,
    capset: &CapSet,
    results: &Results,
) -> Result<Vec<Row>> {
    let published = published::karu64()?;
    let mut rows = Vec::new();
    for (case, result) in cases.iter().zip(&results.cases) {
        for m in &result.measures {
            let figure = published
                .iter()
                .find(|p| p.case == case.id)
                .map(|p| published_speed(runner, p, vlen, capset, m));
            let counts = checked(results, result, m);
            rows.push(row(runner, case, vlen, capset, m, counts, figure.transpose()?.flatten()));
        }
    }
    for row in &mut rows {
        row.version = results.version.clone();
    }
    Ok(rows)
}

/// Instructions and cycles of one operation, or everything that forbids to state them.
fn checked(results: &Results, case: &CaseResult, m: &Measure) -> Result<(f64, f64), String> {
    let mut problems = case.answers.clone();
    problems.extend(m.counts.as_ref().err().cloned());
    problems.extend(results.self_check.as_ref().err().cloned());
    match &m.counts {
        Ok(c) if problems.is_empty() => {
            let per_op = |n: u64| n as f64 / m.repeats as f64;
            Ok((per_op(c.instret), per_op(c.cycles)))
        }
        _ => Err(problems.join("; ")),
    }
}

fn row(
    runner: &Runner,
    case: &Case,
    vlen: u32,
    capset: &CapSet,
    m: &Measure,
    counts: Result<(f64, f64), String>,
    published_kbps: Option<f64>,
) -> Row {
    let insns = counts.as_ref().ok().map(|c| c.0);
    let cycles = counts.as_ref().ok().map(|c| c.1);
    let bytes = m.bytes as f64;
    let per_s = |c: f64| Some(runner.frequency()? as f64 / c);
    let ops_per_s = cycles.filter(|c| *c > 0.0).and_then(per_s);
    let of_bytes = |v: Option<f64>| v.filter(|_| m.bytes > 0);
    let kbps = of_bytes(ops_per_s).map(|o| bytes * o / 1e3);
    Row {
        target: runner.target().name().into(),
        subject: runner.target().subject().name().into(),
        version: String::new(),
        core: runner.core_name().into(),
        vlen,
        case: case.id.clone(),
        algorithm: case.title.clone(),
        direction: m.direction.name().into(),
        bytes: m.bytes,
        capset: capset.name.clone(),
        capstring: capset.capstring.clone().unwrap_or_default(),
        insns_per_op: insns,
        cycles_per_op: cycles,
        insns_per_byte: of_bytes(insns).map(|v| v / bytes),
        cycles_per_byte: of_bytes(cycles).map(|v| v / bytes),
        kbps,
        speedup: None,
        answers: counts.err().unwrap_or_else(|| "pass".into()),
        published_kbps,
        ratio: kbps.zip(published_kbps).map(|(k, p)| k / p),
        ops_per_s,
    }
}

/// The published figure for exactly this core, VLEN, set, direction and size.
fn published_speed(
    runner: &Runner,
    row: &published::Row,
    vlen: u32,
    capset: &CapSet,
    m: &Measure,
) -> Result<Option<f64>> {
    let same = runner.core_name() == "karu64"
        && vlen == published::KARU64_VLEN
        && m.bytes == published::KARU64_BYTES
        && m.direction == Operation::Encrypt;
    let is =
        |name: &str| Ok::<_, anyhow::Error>(CapSet::parse(name, runner.isa())?.same_as(capset));
    Ok(if !same {
        None
    } else if is("scalar")? {
        Some(row.scalar_kbps)
    } else if is(&row.best_capset)? {
        Some(row.best_kbps)
    } else {
        None
    })
}

/// Fills in the speed-ups over the scalar set.
pub fn compare(rows: &mut [Row]) {
    // `openssl speed` prints bytes per second only.
    let speed = |r: &Row| r.ops_per_s.or(r.kbps);
    let key = |r: &Row| (r.vlen, r.case.clone(), r.direction.clone(), r.bytes);
    let scalar: HashMap<_, _> = rows
        .iter()
        .filter(|r| r.capset == "scalar")
        .filter_map(|r| Some((key(r), speed(r)?)))
        .collect();
    for row in rows {
        let base = scalar.get(&key(row)).copied();
        row.speedup = speed(row).zip(base).map(|(k, b)| k / b);
    }
}
