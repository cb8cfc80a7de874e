//! What one configuration gives.

use crate::capset::CapSet;
use crate::case::{Case, Operation};
use crate::jobs::{Counts, Job, Outcome, Question};
use crate::probe::Probe;
use crate::run::{Configuration, Died, Runner};
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What one configuration gave.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The library's version.
    pub version: String,
    /// Whether the counter counts exactly.
    pub self_check: Result<(), String>,
    /// What the kernel and the library say of the hart.
    pub probe: Probe,
    /// By case, in the order of the configuration's.
    pub cases: Vec<CaseResult>,
}

/// What one case gave.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// What is wrong with its answers.
    pub answers: Vec<String>,
    /// Its figures.
    pub measures: Vec<Measure>,
}

/// Counts of `repeats` operations.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// What was done.
    pub direction: Operation,
    pub bytes: usize,
    pub repeats: u64,
    /// Counts of all repeats, or why there are none.
    pub counts: Result<Counts, String>,
}

/// Operations to measure where there is no size and the case does not say.
const DEFAULT_REPEATS: u64 = 16;

/// Operations to measure for a size: enough that no single one dominates, few enough to be quick.
fn repeats(case: &Case, bytes: usize) -> u64 {
    match case.repeats {
        Some(n) => n,
        None if case.kind.has_bytes() => (32768 / bytes.max(1)).clamp(2, 64) as u64,
        None => DEFAULT_REPEATS,
    }
}

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

/// Names a configuration and all that is asked of it: equal keys have equal results.
pub fn key(cases: &[&Case], bytes: &[usize], vlen: u32, capset: &CapSet) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{vlen} {} {:?}\n", capset.exts, capset.capstring));
    for case in cases {
        hash.update(format!("{case:?}\n"));
        for job in jobs(case, bytes) {
            hash.update(job.line() + "\n");
        }
    }
    hex::encode(hash.finalize())[..32].to_string()
}

impl Results {
    /// Runs the configuration, in one guest process unless that dies: then in one for each case, so that only
    /// the case that kills it is without figures.
    pub fn measure(
        runner: &Runner,
        cases: &[&Case],
        bytes: &[usize],
        vlen: u32,
        capset: &CapSet,
    ) -> Result<Results> {
        let configuration = Configuration { vlen, capset: capset.clone() };
        let per_case: Vec<Vec<Job>> = cases.iter().map(|c| jobs(c, bytes)).collect();
        match Results::together(runner, &configuration, &per_case) {
            Err(e) if e.is::<Died>() => Results::apart(runner, &configuration, &per_case),
            other => other,
        }
    }

    fn together(runner: &Runner, c: &Configuration, per_case: &[Vec<Job>]) -> Result<Results> {
        let mut all = vec![Job::Version, Job::SelfCheck];
        all.extend(per_case.iter().flatten().cloned());
        // Last: what it leaves in the caches stays outside of the measurements.
        all.push(Job::Probe);
        let mut outcomes = runner.run(c, &all)?;
        let Some(Outcome::Probe(probe)) = outcomes.pop() else {
            bail!("the driver did not answer the probe");
        };
        let mut outcomes = outcomes.into_iter();
        let (Some(Outcome::Version(version)), Some(Outcome::SelfCheck(self_check))) =
            (outcomes.next(), outcomes.next())
        else {
            bail!("the driver did not introduce itself");
        };
        let cases = per_case.iter().map(|jobs| collect(jobs, outcomes.by_ref())).collect();
        Ok(Results { version, self_check, probe, cases })
    }

    fn apart(runner: &Runner, c: &Configuration, per_case: &[Vec<Job>]) -> Result<Results> {
        let mut results = Results::together(runner, c, &[])?;
        for jobs in per_case {
            let case = match runner.run(c, jobs) {
                Ok(outcomes) => collect(jobs, outcomes.into_iter()),
                Err(e) if e.is::<Died>() => dead(jobs, &e.to_string()),
                Err(e) => return Err(e),
            };
            results.cases.push(case);
        }
        Ok(results)
    }
}

fn collect(jobs: &[Job], outcomes: impl Iterator<Item = Outcome>) -> CaseResult {
    let mut result = CaseResult::default();
    for (job, outcome) in jobs.iter().zip(outcomes) {
        match (job, outcome) {
            (_, Outcome::Answer(Err(what))) => result.answers.push(what),
            (Job::Measure(_, direction, bytes, repeats), Outcome::Measure(counts)) => {
                let (direction, bytes, repeats) = (*direction, *bytes, *repeats);
                result.measures.push(Measure { direction, bytes, repeats, counts });
            }
            _ => {}
        }
    }
    result
}

/// The result of a case in which the guest died.
fn dead(jobs: &[Job], why: &str) -> CaseResult {
    let mut result = CaseResult { answers: vec![why.to_string()], measures: Vec::new() };
    for job in jobs {
        if let Job::Measure(_, direction, bytes, repeats) = job {
            let (direction, bytes, repeats) = (*direction, *bytes, *repeats);
            let counts = Err("not measured".into());
            result.measures.push(Measure { direction, bytes, repeats, counts });
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::select;

    #[test]
    fn a_key_names_all_that_a_result_depends_on() {
        let isa = "rv64gcv".parse().unwrap();
        let capset = |n: &str| CapSet::parse(n, &isa).unwrap();
        let cases = select(&["sha256".into(), "sm3".into()]).unwrap();
        let (both, one): (Vec<_>, _) = (cases.iter().collect(), vec![&cases[0]]);
        let base = key(&both, &[64], 256, &capset("zbb"));
        assert_eq!(base, key(&both, &[64], 256, &capset("zbb_zbb")));
        let others = [
            key(&one, &[64], 256, &capset("zbb")),
            key(&both, &[65], 256, &capset("zbb")),
            key(&both, &[64], 128, &capset("zbb")),
            key(&both, &[64], 256, &capset("zba")),
            key(&both, &[64], 256, &capset("string:rv64gc_zbb_x")),
        ];
        assert!(others.iter().all(|k| *k != base));
    }

    #[test]
    fn a_dead_case_has_no_figures_and_says_why() {
        let case = select(&["sm4-ecb".into()]).unwrap().remove(0);
        let result = dead(&jobs(&case, &[16, 64]), "ended by SIGILL");
        assert_eq!(result.measures.len(), 4);
        assert!(result.measures.iter().all(|m| m.counts.is_err()));
        assert_eq!(result.answers, ["ended by SIGILL"]);
    }
}
