//! Figures from counts.

use super::results::{CaseResult, Measure, Mix, Results};
use crate::capset::CapSet;
use crate::case::Case;
use crate::driver_protocol::{Counts, Taken};
use crate::run::Runner;
use crate::samples::{Samples, Spread};
use capvec_record::{Kind, Row};

/// The rows of one configuration.
pub fn rows(
    runner: &Runner,
    cases: &[&Case],
    vlen: u32,
    capset: &CapSet,
    results: &Results,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for (case, result) in cases.iter().zip(&results.cases) {
        for m in &result.measures {
            let cost = checked(runner.target().kind(), results, result, m);
            rows.push(Row {
                version: results.version.clone(),
                ..row(runner, case, vlen, capset, m, cost)
            });
        }
    }
    rows
}

/// The cost of one operation.
#[derive(Default)]
struct Cost {
    insns: Option<f64>,
    cycles: Option<f64>,
    /// Nanoseconds on a meaningful clock, with their spread.
    time: Option<Spread>,
    /// The counter that counted the instructions.
    counter: String,
    /// Bytes that the measured end of a connection sent.
    wire_bytes: Option<f64>,
}

/// The cost of one operation, or every reason why it cannot be stated.
fn checked(kind: Kind, results: &Results, case: &CaseResult, m: &Measure) -> Result<Cost, String> {
    let mut problems = case.answers.clone();
    problems.extend(m.taken.as_ref().err().cloned());
    // Where times are measured too, a wrong counter only drops the counts.
    if kind == Kind::Modelled {
        problems.extend(results.self_check.as_ref().err().cloned());
    }
    match &m.taken {
        Ok(taken) if problems.is_empty() => {
            let valid = results.self_check.is_ok();
            Ok(match taken {
                Taken::Counts(c) => counted(c, m.repeats),
                Taken::Samples(s) => sampled(kind, s, valid),
            })
        }
        _ => Err(problems.join("; ")),
    }
}

fn counted(c: &Counts, repeats: u64) -> Cost {
    let per_op = |n: u64| Some(n as f64 / repeats as f64);
    let (insns, cycles) = (per_op(c.instret), per_op(c.cycles));
    let wire_bytes = c.wire_bytes.and_then(per_op);
    Cost { insns, cycles, time: None, counter: "hart".into(), wire_bytes }
}

fn sampled(kind: Kind, s: &Samples, valid: bool) -> Cost {
    // Under emulation, the clock measures the speed of the emulator.
    let time = s.ns().filter(|_| kind == Kind::Real);
    if !valid {
        return Cost { time, ..Cost::default() };
    }
    let median = |s: Option<Spread>| s.map(|s| s.median);
    let (insns, cycles) = (median(s.insns()), median(s.cycles()));
    Cost { insns, cycles, time, counter: s.counter.clone(), wire_bytes: None }
}

fn row(
    runner: &Runner,
    case: &Case,
    vlen: u32,
    capset: &CapSet,
    m: &Measure,
    cost: Result<Cost, String>,
) -> Row {
    let target = runner.target();
    let mix = if cost.is_ok() { m.mix.clone() } else { Mix::new() };
    let functions = if cost.is_ok() { m.functions.clone() } else { Vec::new() };
    let each = if cost.is_ok() { m.each.clone() } else { Vec::new() };
    let by_layout = if cost.is_ok() { &m.cycles_by_layout[..] } else { &[] };
    let answers = cost.as_ref().err().cloned().unwrap_or_else(|| "pass".into());
    let cost = cost.unwrap_or_default();
    let per_s = |c: f64| Some(runner.frequency()? as f64 / c);
    let by_model = cost.cycles.filter(|c| *c > 0.0).and_then(per_s);
    let ns = cost.time.map(|t| t.median).filter(|ns| *ns > 0.0);
    let ops_per_s = by_model.or(ns.map(|ns| 1e9 / ns));
    Row {
        target: target.name().into(),
        subject: runner.subject().into(),
        core: runner.core_name().into(),
        core_digest: runner.core_digest().into(),
        vlen,
        case: case.id.clone(),
        algorithm: case.title.clone(),
        direction: m.direction.name().into(),
        bytes: m.bytes,
        capset: capset.name.clone(),
        capstring: capset.capstring_for(target.library_kind()).unwrap_or_default().into(),
        insns_per_op: cost.insns,
        cycles_per_op: cost.cycles,
        answers,
        ops_per_s,
        kind: target.kind(),
        counter: cost.counter,
        ns_per_op: ns,
        mad_percent: cost.time.map(|t| t.mad * 100.0),
        samples: samples(m),
        mix,
        functions,
        each,
        cycles_by_layout: by_layout.iter().map(|c| *c as f64 / m.repeats as f64).collect(),
        wire_bytes: cost.wire_bytes,
        ..Row::default()
    }
}

/// Nanoseconds of an operation, by sample, for tests of significance.
fn samples(m: &Measure) -> Vec<f64> {
    match &m.taken {
        Ok(Taken::Samples(s)) if s.taken.len() > 1 => {
            let one = |ns: u64| ns.saturating_sub(s.empty.ns) as f64 / s.repeats as f64;
            s.taken.iter().map(|t| one(t.ns)).collect()
        }
        _ => Vec::new(),
    }
}
