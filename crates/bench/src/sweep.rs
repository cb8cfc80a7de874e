//! The sweep: every configuration runs once, in one guest process, and answers all its jobs.

use crate::capset::CapSet;
use crate::case::{Case, Operation};
use crate::jobs::{Counts, Job, Outcome, Question};
use crate::published;
use crate::record::Row;
use crate::run::{Configuration, Runner};
use anyhow::{Context, Result, bail};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What to measure.
pub struct Plan {
    /// Algorithms.
    pub cases: Vec<Case>,
    /// Capability sets; the first is what speed-ups are over, if it is `scalar`.
    pub capsets: Vec<CapSet>,
    /// VLENs in bits.
    pub vlens: Vec<u32>,
    /// Message sizes in bytes.
    pub bytes: Vec<usize>,
}

/// What one configuration gave.
struct Results {
    version: String,
    self_check: Result<(), String>,
    cases: Vec<CaseResult>,
}

struct CaseResult {
    answers: Vec<String>,
    measures: Vec<(Operation, usize, u64, Result<Counts, String>)>,
}

/// Everything that a plan gave.
pub struct Swept {
    /// Figures, in the plan's order whatever ran first.
    pub rows: Vec<Row>,
    /// `exact`, or the first difference found.
    pub self_check: String,
}

/// Operations to measure for a size: enough that no single one dominates, few enough to be quick.
fn repeats(case: &Case, bytes: usize) -> u64 {
    match case.repeats {
        Some(n) => n,
        None if case.kind.has_bytes() => (32768 / bytes.max(1)).clamp(2, 64) as u64,
        None => DEFAULT_REPEATS,
    }
}

/// Operations to measure where there is no size and the case does not say.
const DEFAULT_REPEATS: u64 = 16;

fn jobs<'a>(case: &'a Case, bytes: &[usize]) -> Vec<Job<'a>> {
    let published = case.answer.iter().map(Question::Published);
    let patterns = case.pattern.iter().map(Question::Pattern);
    let mut jobs: Vec<_> = published.chain(patterns).map(|q| Job::Answer(case, q)).collect();
    for &n in if case.kind.has_bytes() { bytes } else { &[0] } {
        let measure = |op: &Operation| Job::Measure(case, *op, n, repeats(case, n));
        jobs.extend(case.operations.iter().map(measure));
    }
    jobs
}

fn run_one(runner: &Runner, plan: &Plan, vlen: u32, capset: &CapSet) -> Result<Results> {
    let per_case: Vec<Vec<Job>> = plan.cases.iter().map(|c| jobs(c, &plan.bytes)).collect();
    let mut all = vec![Job::Version, Job::SelfCheck];
    all.extend(per_case.iter().flatten().cloned());
    let configuration = Configuration { vlen, capset: capset.clone() };
    let outcomes = runner
        .run(&configuration, &all)
        .with_context(|| format!("capability set {}, VLEN {vlen}", capset.name))?;
    let mut outcomes = outcomes.into_iter();
    let (Some(Outcome::Version(version)), Some(Outcome::SelfCheck(self_check))) =
        (outcomes.next(), outcomes.next())
    else {
        bail!("the driver did not introduce itself");
    };
    let cases = per_case.iter().map(|jobs| collect(jobs, outcomes.by_ref())).collect();
    Ok(Results { version, self_check, cases })
}

fn collect(jobs: &[Job], outcomes: impl Iterator<Item = Outcome>) -> CaseResult {
    let mut result = CaseResult { answers: Vec::new(), measures: Vec::new() };
    for (job, outcome) in jobs.iter().zip(outcomes) {
        match (job, outcome) {
            (_, Outcome::Answer(Err(what))) => result.answers.push(what),
            (Job::Measure(_, d, n, r), Outcome::Measure(m)) => {
                result.measures.push((*d, *n, *r, m))
            }
            _ => {}
        }
    }
    result
}

/// Runs the whole plan on all processors; `progress` is called after each configuration.
pub fn run(runner: &Runner, plan: &Plan, progress: &(dyn Fn() + Sync)) -> Result<Swept> {
    let pairs: Vec<(u32, &CapSet)> =
        plan.vlens.iter().flat_map(|v| plan.capsets.iter().map(move |c| (*v, c))).collect();
    let slots: Vec<Mutex<Option<Result<Results>>>> =
        pairs.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get()).min(pairs.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(&(vlen, capset)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let index = pairs.iter().position(|p| p.0 == vlen && p.1 == capset);
                    let result = run_one(runner, plan, vlen, capset);
                    if let Some(slot) = index.and_then(|i| slots.get(i))
                        && let Ok(mut slot) = slot.lock()
                    {
                        *slot = Some(result);
                    }
                    progress();
                }
            });
        }
    });
    let mut swept = Swept { rows: Vec::new(), self_check: "exact".into() };
    for ((vlen, capset), slot) in pairs.iter().zip(slots) {
        let result = slot.into_inner().ok().flatten().context("a worker stopped early")??;
        if let Err(what) = &result.self_check {
            swept.self_check = format!("{what} (capability set {}, VLEN {vlen})", capset.name);
        }
        swept.rows.extend(rows(runner, plan, *vlen, capset, &result)?);
    }
    compare(&mut swept.rows);
    Ok(swept)
}

fn rows(runner: &Runner, plan: &Plan, vlen: u32, capset: &CapSet, r: &Results) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let published = published::karu64()?;
    for (case, result) in plan.cases.iter().zip(&r.cases) {
        for (direction, bytes, repeats, counts) in &result.measures {
            let mut problems = result.answers.clone();
            problems.extend(counts.as_ref().err().cloned());
            problems.extend(r.self_check.as_ref().err().cloned());
            let counts = if problems.is_empty() { counts.as_ref().ok() } else { None };
            let per_op = |n: u64| n as f64 / *repeats as f64;
            let insns = counts.map(|c| per_op(c.instret));
            let cycles = counts.map(|c| per_op(c.cycles));
            let ops_per_s = cycles.filter(|c| *c > 0.0).map(|c| runner.frequency() as f64 / c);
            let of_bytes = |v: Option<f64>| v.filter(|_| *bytes > 0);
            let kbps = of_bytes(ops_per_s).map(|o| *bytes as f64 * o / 1e3);
            let row_published = published
                .iter()
                .find(|p| p.case == case.id)
                .and_then(|p| published_speed(runner, p, vlen, capset, *direction, *bytes));
            rows.push(Row {
                target: "sim".into(),
                subject: "openssl".into(),
                version: r.version.clone(),
                core: runner.core_name().into(),
                vlen,
                case: case.id.clone(),
                algorithm: case.title.clone(),
                direction: direction.name().into(),
                bytes: *bytes,
                capset: capset.name.clone(),
                capstring: capset.capstring.clone().unwrap_or_default(),
                insns_per_op: insns,
                cycles_per_op: cycles,
                insns_per_byte: of_bytes(insns).map(|v| v / *bytes as f64),
                cycles_per_byte: of_bytes(cycles).map(|v| v / *bytes as f64),
                kbps,
                speedup: None,
                answers: if problems.is_empty() { "pass".into() } else { problems.join("; ") },
                published_kbps: row_published,
                ratio: kbps.zip(row_published).map(|(k, p)| k / p),
                ops_per_s,
            });
        }
    }
    Ok(rows)
}

/// The published figure for exactly this core, VLEN, set, direction and size.
fn published_speed(
    runner: &Runner,
    row: &published::Row,
    vlen: u32,
    capset: &CapSet,
    direction: Operation,
    bytes: usize,
) -> Option<f64> {
    let same = runner.core_name() == "karu64"
        && vlen == published::KARU64_VLEN
        && bytes == published::KARU64_BYTES
        && direction == Operation::Encrypt;
    match capset.name.as_str() {
        "scalar" if same => Some(row.scalar_kbps),
        name if same && name == row.best_capset => Some(row.best_kbps),
        _ => None,
    }
}

/// Fills in the speed-ups over the scalar set.
fn compare(rows: &mut [Row]) {
    let key = |r: &Row| (r.vlen, r.case.clone(), r.direction.clone(), r.bytes);
    let scalar: Vec<_> = rows
        .iter()
        .filter(|r| r.capset == "scalar")
        .filter_map(|r| Some((key(r), r.ops_per_s?)))
        .collect();
    for row in rows {
        let base = scalar.iter().find(|(k, _)| *k == key(row)).map(|(_, v)| *v);
        row.speedup = row.ops_per_s.zip(base).map(|(k, b)| k / b);
    }
}
