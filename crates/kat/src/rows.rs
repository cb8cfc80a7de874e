//! One row for each algorithm in each configuration.

use super::Algorithm;
use super::format::Outcome;
use super::job::Checked;
use super::known_failures;
use super::reproduce;
use super::run::{Configured, Plan};
use super::scalar_comparison::Comparison;
use capvec_record::kat::{Failure, Known, Row};

/// The rows of a run.
pub fn rows(plan: &Plan, configured: &[Configured], known: &[Known]) -> Vec<Row> {
    let scalar = configured.iter().find(|c| c.capset.name == "scalar");
    let mut rows = Vec::new();
    for (i, algorithm) in plan.vectors.algorithms.iter().enumerate() {
        for c in configured {
            rows.extend(row(plan, i, algorithm, c, scalar, known));
        }
    }
    rows
}

fn row(
    plan: &Plan,
    index: usize,
    algorithm: &Algorithm,
    c: &Configured,
    scalar: Option<&Configured>,
    known: &[Known],
) -> Option<Row> {
    let own = plan.vectors.of.iter().enumerate().filter(|(_, a)| **a == index).map(|(v, _)| v);
    let at = |v: usize| c.results.get(v).cloned().flatten();
    let done: Vec<(usize, Checked)> = own.filter_map(|v| Some((v, at(v)?))).collect();
    if done.is_empty() {
        return None;
    }
    let comparison = Comparison::of(c, scalar);
    let known_failure = |v: usize, got: &Checked| {
        let (vector, failure) = plan.vectors.vectors.get(v).zip(got.failure.as_deref())?;
        known.iter().find(|k| known_failures::is(k, vector, failure, c.vlen, &c.capset))
    };
    let of_a_path =
        |v: usize, got: &Checked| known_failure(v, got).is_some_and(Known::is_of_a_path);
    let compared = |(v, got): &&(usize, Checked)| comparison.has(*v) && !of_a_path(*v, got);
    let unlike = |(v, got): &&(usize, Checked)| comparison.differs(*v, got) && !of_a_path(*v, got);
    let (untested, lost) = untested(plan, algorithm, &done);
    let passes = |(v, got): &&(usize, Checked)| {
        got.failure.is_none() && got.absent.is_none() && !lost.contains(v)
    };
    let early = |(v, got): &&(usize, Checked)| {
        let of = plan.vectors.vectors.get(*v);
        got.early && of.is_some_and(|v| v.outcome == Outcome::Invalid)
    };
    let known = |(v, got): &&(usize, Checked)| known_failure(*v, got).is_some();
    let failed = |pair: &&(usize, Checked)| pair.1.failure.is_some() && !known(pair);
    // A known failure is reproduced like any other.
    let first = done.iter().find(failed).or_else(|| done.iter().find(known));
    let count = |f: &dyn Fn(&&(usize, Checked)) -> bool| done.iter().filter(f).count();
    Some(Row {
        algorithm: algorithm.id.clone(),
        capset: c.capset.name.clone(),
        capstring: c.capset.capstring.clone().unwrap_or_default(),
        vlen: c.vlen,
        agnostic: c.policy().map(String::from),
        vectors: done.len(),
        checks: done.iter().map(|(_, got)| got.checks).sum(),
        passed: count(&passes),
        failed: count(&failed),
        known: count(&known),
        compared: count(&compared),
        unlike_scalar: count(&unlike),
        absent: count(&|(_, got)| got.absent.is_some()),
        early: count(&early),
        untested,
        failure: first.and_then(|(v, got)| failure(plan, *v, algorithm, c, got)),
    })
}

/// Pairs of file and operation all of whose vectors were refused before the operation. A vector that was picked out
/// does not represent its file.
fn untested(
    plan: &Plan,
    algorithm: &Algorithm,
    done: &[(usize, Checked)],
) -> (Vec<String>, Vec<usize>) {
    let mut groups: Vec<(String, Vec<usize>, bool)> = Vec::new();
    for (i, got) in done {
        let Some(v) = plan.vectors.vectors.get(*i) else { continue };
        let name = format!("{} ({})", v.file, v.operation(algorithm).name());
        match groups.iter_mut().find(|g| g.0 == name) {
            Some(g) => {
                g.1.push(*i);
                g.2 &= got.early;
            }
            None => groups.push((name, vec![*i], got.early)),
        }
    }
    groups.retain(|g| g.2 && !plan.vectors.alone);
    let lost = groups.iter().flat_map(|g| g.1.clone()).collect();
    (groups.into_iter().map(|g| g.0).collect(), lost)
}

fn failure(
    plan: &Plan,
    vector: usize,
    algorithm: &Algorithm,
    c: &Configured,
    got: &Checked,
) -> Option<Failure> {
    let v = plan.vectors.vectors.get(vector)?;
    let what = got.failure.clone()?;
    let reproduce = reproduce::text(algorithm, v, &what, c, &plan.reproduce);
    Some(Failure { file: v.file.clone(), id: v.id.clone(), what, reproduce })
}
