//! The results of one configuration.

use crate::capset::CapSet;
use crate::case::{Case, Operation};
use crate::driver_protocol::{Job, Outcome, Question, Taken};
use crate::requests::Jobs;
use crate::run::{Configuration, Died, GroupOutcome, Runner};
use anyhow::{Result, bail};
use capvec_record::{Cost, FunctionShare};
use capvec_targets::Probe;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Instructions of an operation by class.
pub type Mix = BTreeMap<String, f64>;

/// The results of one configuration.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The library's version.
    pub version: String,
    /// Whether the counter counts exactly.
    pub self_check: Result<(), String>,
    /// What the kernel and the library report about the hart.
    pub probe: Probe,
    /// By case, in the order of the configuration's cases.
    pub cases: Vec<CaseResult>,
}

/// The results of one case.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// What is wrong with its answers.
    pub answers: Vec<String>,
    /// Its figures.
    pub measures: Vec<Measure>,
}

/// What was measured of an operation.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The operation.
    pub direction: Operation,
    pub bytes: usize,
    /// Number of operations in the counts; samples have a number of their own.
    pub repeats: u64,
    /// What was measured, or why nothing was.
    pub taken: Result<Taken, String>,
    /// Instructions of an operation by class, if requested.
    #[serde(default, skip_serializing_if = "Mix::is_empty")]
    pub mix: Mix,
    /// What each function takes of an operation, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionShare>,
    /// What each operation of a fixed sequence takes, where they differ in their attempts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<Cost>,
    /// Cycles in each random layout of memory, if several were requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycles_by_layout: Vec<u64>,
}

/// Number of operations to measure where there is no size and the case does not say.
const DEFAULT_REPEATS: u64 = 16;

/// Messages of this many bytes or more are measured once.
const ONCE: usize = 1 << 26;

/// Number of operations to measure for a size: enough that no single one dominates, few enough to be quick.
fn repeats(case: &Case, bytes: usize) -> u64 {
    match case.repeats {
        Some(n) => n,
        // So long that warming up does not matter, and would take too long.
        None if bytes >= ONCE => 1,
        None if bytes > 0 => (32768 / bytes.max(1)).clamp(2, 64) as u64,
        None => DEFAULT_REPEATS,
    }
}

/// The jobs of a case, in groups: its answers, and each figure on its own. Where there is no size, all figures are one
/// group, since verifying needs the signature that was measured.
pub fn groups<'a>(case: &'a Case, bytes: &[usize]) -> Vec<Vec<Job<'a>>> {
    let published = case.answer.iter().map(Question::Published);
    let patterns = case.pattern.iter().map(Question::Pattern);
    let answers = published.chain(patterns).map(|q| Job::Answer(case, q)).collect();
    let sizes = |op: Operation| case.kind.sizes(op, bytes);
    let measure = |n: usize| {
        let with = case.operations.iter().filter(move |op| sizes(**op).contains(&n));
        with.map(move |op| Job::Measure(case, *op, n, repeats(case, n)))
    };
    let mut groups = vec![answers];
    let mut all: Vec<usize> = case.operations.iter().flat_map(|op| sizes(*op)).collect();
    let mut seen = Vec::new();
    all.retain(|n| {
        !seen.contains(n) && {
            seen.push(*n);
            true
        }
    });
    for n in all {
        match n {
            0 => groups.push(measure(0).collect()),
            n => groups.extend(measure(n).map(|job| vec![job])),
        }
    }
    groups
}

/// All jobs of a configuration, in groups: the driver's introduction, and those of each case.
pub fn jobs<'a>(cases: &[&'a Case], bytes: &[usize]) -> Vec<Vec<Job<'a>>> {
    let introduction = vec![Job::Version, Job::SelfCheck, Job::Probe];
    std::iter::once(introduction).chain(cases.iter().flat_map(|c| groups(c, bytes))).collect()
}

/// A digest of a configuration, of whether mixes and functions are counted, of the number of layouts, and of everything else
/// that is requested: equal keys have equal results.
pub fn key(cases: &[&Case], bytes: &[usize], vlen: u32, capset: &CapSet, also: [u64; 3]) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{vlen} {} {:?} {also:?}\n", capset.exts, capset.capstring));
    for case in cases {
        hash.update(format!("{case:?}\n"));
        for job in groups(case, bytes).iter().flatten() {
            hash.update(job.line() + "\n");
        }
    }
    hex::encode(hash.finalize())[..32].to_string()
}

impl Results {
    /// Runs the configuration, in one guest for each driver. A case that kills its process has no figures; the others are
    /// unaffected.
    pub fn measure(
        runner: &Runner,
        cases: &[&Case],
        bytes: &[usize],
        configuration: &Configuration,
    ) -> Result<Results> {
        let mut outcomes = runner.run(configuration, Jobs(&jobs(cases, bytes)))?.into_iter();
        let Some(
            [Outcome::Version(version), Outcome::SelfCheck(self_check), Outcome::Probe(probe)],
        ) = outcomes.next().transpose()?.and_then(|o| <[Outcome; 3]>::try_from(o).ok())
        else {
            bail!("the driver did not introduce itself");
        };
        let of_case = |c: &&Case| collect(&groups(c, bytes), outcomes.by_ref());
        let cases = cases.iter().map(of_case).collect();
        Ok(Results { version, self_check, probe, cases })
    }

    /// Adds further problems with answers, by case.
    pub fn add(&mut self, problems: Vec<Option<String>>) {
        for (case, problem) in self.cases.iter_mut().zip(problems) {
            case.answers.extend(problem);
        }
    }
}

fn collect(groups: &[Vec<Job>], outcomes: impl Iterator<Item = GroupOutcome>) -> CaseResult {
    let mut result = CaseResult::default();
    for (jobs, outcomes) in groups.iter().zip(outcomes) {
        let outcomes = match outcomes {
            Ok(outcomes) => outcomes,
            Err(Died(why)) => {
                result.die(jobs, &why);
                continue;
            }
        };
        for (job, outcome) in jobs.iter().zip(outcomes) {
            match outcome {
                Outcome::Answer(Err(what)) => result.answers.push(what),
                Outcome::Measure(taken) => result.measures.extend(Measure::of(job, taken)),
                _ => {}
            }
        }
    }
    result
}

impl CaseResult {
    /// Records that the process with these jobs died.
    fn die(&mut self, jobs: &[Job], why: &str) {
        if jobs.iter().any(|j| matches!(j, Job::Answer(..))) {
            self.answers.push(why.into());
        }
        self.measures.extend(jobs.iter().filter_map(|j| Measure::of(j, Err(why.into()))));
    }
}

impl Measure {
    fn of(job: &Job, taken: Result<Taken, String>) -> Option<Measure> {
        let Job::Measure(_, direction, bytes, repeats) = *job else { return None };
        let (mix, functions, each) = (Mix::new(), Vec::new(), Vec::new());
        let cycles_by_layout = Vec::new();
        Some(Measure { direction, bytes, repeats, taken, mix, functions, each, cycles_by_layout })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::select;
    use crate::driver_protocol::Counts;

    #[test]
    fn a_key_names_everything_that_a_result_depends_on() {
        let isa = "rv64gcv".parse().unwrap();
        let capset = |n: &str| CapSet::parse(n, &isa).unwrap();
        let cases = select(&["sha256".into(), "sm3".into()]).unwrap();
        let (both, one): (Vec<_>, _) = (cases.iter().collect(), vec![&cases[0]]);
        let base = key(&both, &[64], 256, &capset("zbb"), [0; 3]);
        assert_eq!(base, key(&both, &[64], 256, &capset("zbb_zbb"), [0; 3]));
        let others = [
            key(&one, &[64], 256, &capset("zbb"), [0; 3]),
            key(&both, &[65], 256, &capset("zbb"), [0; 3]),
            key(&both, &[64], 128, &capset("zbb"), [0; 3]),
            key(&both, &[64], 256, &capset("zba"), [0; 3]),
            key(&both, &[64], 256, &capset("string:rv64gc_zbb_x"), [0; 3]),
            key(&both, &[64], 256, &capset("zbb"), [1, 0, 0]),
            key(&both, &[64], 256, &capset("zbb"), [0, 1, 0]),
            key(&both, &[64], 256, &capset("zbb"), [0, 0, 1]),
        ];
        assert!(others.iter().all(|k| *k != base));
    }

    #[test]
    fn a_dead_case_has_no_figures_and_says_why() {
        let case = select(&["sm4-ecb".into()]).unwrap().remove(0);
        let groups = groups(&case, &[16, 64]);
        assert_eq!(groups.len(), 1 + 2 * 2);
        let died = || Err(Died("ended by SIGILL".into()));
        let result = collect(&groups, groups.iter().map(|_| died()));
        assert_eq!(result.measures.len(), 4);
        assert!(result.measures.iter().all(|m| m.taken.is_err()));
        assert_eq!(result.answers, ["ended by SIGILL"]);
    }

    /// If a process dies, only its figure is lost.
    #[test]
    fn a_dead_figure_leaves_the_others() {
        let case = select(&["sm4-ecb".into()]).unwrap().remove(0);
        let groups = groups(&case, &[16]);
        let counts = Taken::Counts(Counts { instret: 1, cycles: 2, wire_bytes: None });
        let outcomes = [
            Ok(vec![Outcome::Answer(Ok(())); groups[0].len()]),
            Err(Died("killed".into())),
            Ok(vec![Outcome::Measure(Ok(counts.clone()))]),
        ];
        let result = collect(&groups, outcomes.into_iter());
        assert!(result.answers.is_empty());
        let got: Vec<_> = result.measures.into_iter().map(|m| m.taken).collect();
        assert_eq!(got, [Err("killed".into()), Ok(counts)]);
    }
}
