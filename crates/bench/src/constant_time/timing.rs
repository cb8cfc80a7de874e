//! The same operation with random keys and inputs on a core model: all must take the same number of cycles.

use super::check::{Checked, NO_RULE, Plan, job, parts_of, refused};
use super::rules::Rules;
use crate::case::{Case, Operation};
use crate::run::{Configuration, Runner};
use anyhow::{Context, Result};
use capvec_ct::{Report, Timing};
use capvec_guest::Program;
use capvec_targets::backend::{Count, Divergence, Work};
use capvec_util::pool;
use std::collections::BTreeSet;

/// Runs everything with `count` keys and inputs, and calls `progress` after each configuration of a case.
///
/// # Errors
/// A guest could not be run at all.
pub fn run(
    runner: &Runner,
    plan: &Plan,
    count: usize,
    progress: &(dyn Fn() + Sync),
) -> Result<Vec<(Checked, Vec<Timing>)>> {
    let rules = Rules::load()?;
    pool::each(&plan.all(), |at| {
        let case = plan.cases.get(at.case).context("no such case")?;
        let (outcome, timings) = match operations(runner, &rules, case, (at, count))? {
            Ok(timings) => (Ok(Report::new(Vec::new())), timings),
            Err(why) => (Err(why), Vec::new()),
        };
        progress();
        Ok((Checked { outcome, ..at.clone() }, timings))
    })
}

/// The case's operations with this many keys and inputs, or why they were not timed.
fn operations(
    runner: &Runner,
    rules: &Rules,
    case: &Case,
    (at, count): (&Checked, usize),
) -> Result<Result<Vec<Timing>, String>> {
    let mut timings = Vec::new();
    for operation in &case.operations {
        let jobs: Option<Vec<String>> =
            (0..count as u64).map(|k| line(rules, case, *operation, k)).collect();
        let Some(jobs) = jobs else { continue };
        let (cycles, divergence) = match one(runner, at, &jobs)? {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        timings.push(Timing {
            operation: operation.name(),
            cycles: cycles.into_iter().collect(),
            inputs: count,
            divergence: divergence.map(|p| p.to_string()),
            may_vary: rules.may_vary(case, *operation).map(String::from),
        });
    }
    Ok(if timings.is_empty() { Err(NO_RULE.into()) } else { Ok(timings) })
}

/// The different numbers of cycles, and where the first two runs that differ diverge; or why nothing was timed.
type Timed = Result<(BTreeSet<u64>, Option<Divergence>), String>;

fn one(runner: &Runner, at: &Checked, jobs: &[String]) -> Result<Timed> {
    let (vlen, agnostic) = at.vector.unwrap_or((runner.vlen(), Default::default()));
    let configuration = Configuration::new(vlen, at.capset.clone());
    let ended = |jobs: &[&String], count| {
        // Each in a process of its own, so that all begin with the same caches.
        let lines: String = jobs.iter().map(|job| format!("{job}\n\n")).collect();
        let work = Work { agnostic, count, ..Work::driver(Program::Secrets, lines) };
        runner.run(&configuration, work)
    };
    let times = ended(&jobs.iter().collect::<Vec<_>>(), Count::Nothing)?.stdout;
    let times: Vec<u64> = match times.lines().map(read).collect() {
        Ok(times) => times,
        Err(why) => return Ok(Err(why)),
    };
    if times.len() != jobs.len() {
        return Ok(Err("the driver ended early".into()));
    }
    let other = times.iter().position(|time| Some(time) != times.first());
    let divergence = match other.and_then(|k| Some([jobs.first()?, jobs.get(k)?])) {
        Some(two) => ended(&two, Count::Divergence)?.divergence,
        None => None,
    };
    Ok(Ok((times.into_iter().collect(), divergence)))
}

fn read(line: &str) -> Result<u64, String> {
    let cycles = line.strip_prefix("time ").and_then(|n| n.parse().ok());
    cycles.ok_or_else(|| refused(line))
}

/// Number `k` of the driver's jobs: its secrets are random.
fn line(rules: &Rules, case: &Case, operation: Operation, k: u64) -> Option<String> {
    let job = job(case, operation)?;
    let mut words: Vec<String> = job.split(' ').map(String::from).collect();
    let [.., key, _, _, input] = &mut words[..] else { return None };
    // SplitMix64 (Steele, Lea, Flood, 2014), so that every run has the same keys.
    let mut state = k.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut byte = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        format!("{:02x}", (z ^ z >> 31) as u8)
    };
    for part in parts_of(rules, case, operation)?.split(',') {
        let mut fields = part.split(':');
        let word = if fields.next() == Some("key") { &mut *key } else { &mut *input };
        if let Some(bytes) = word.strip_prefix('@') {
            *word = "00".repeat(bytes.parse().ok()?);
        }
        let numbers: Vec<usize> = fields.filter_map(|n| n.parse().ok()).collect();
        let range = match numbers[..] {
            [offset, bytes] => offset..offset + bytes,
            _ => 0..word.len() / 2,
        };
        let random: String = range.clone().map(|_| byte()).collect();
        word.replace_range(2 * range.start..2 * range.end, &random);
    }
    Some(format!("time {}", words.join(" ").strip_prefix("answer ")?))
}
