//! What came of the vectors, for people and programs.

use super::Algorithm;
use super::format::Outcome;
use super::job::Checked;
use super::known::{self, Known};
use super::reproduce;
use super::run::{Configured, Plan};
use crate::host::Host;
use crate::run::Runner;
use anyhow::Result;
use capvec_sim::hart::Agnostic;
use serde::Serialize;

/// A vector that failed, with what shows it again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// File of the vector.
    pub file: String,
    /// Its name there.
    pub id: String,
    /// The form that fails, and how.
    pub what: String,
    /// Commands and data that show it again.
    pub reproduce: String,
}

/// One algorithm in one configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Algorithm.
    pub algorithm: String,
    /// Capability set.
    pub capset: String,
    /// What the library was told; empty if it detected.
    pub capstring: String,
    /// VLEN in bits; none without vectors.
    pub vlen: Option<u32>,
    /// What agnostic elements became, `undisturbed` or `ones`; none without vectors.
    pub agnostic: Option<&'static str>,
    /// Number of vectors.
    pub vectors: usize,
    /// Number of checks: a vector is checked in several forms.
    pub checks: u64,
    /// Vectors that passed.
    pub passed: usize,
    /// Vectors that failed.
    pub failed: usize,
    /// Vectors that failed as the library is known to.
    pub known: usize,
    /// Vectors that were compared with the scalar path; none on that itself, and not those that a path of this set
    /// is known to get wrong.
    pub compared: usize,
    /// Those of them for which the library did not give what it gives there.
    pub unlike_scalar: usize,
    /// Vectors of what the library does not have.
    pub absent: usize,
    /// Vectors that must be refused, and were before the operation: a key, an IV or a parameter was.
    pub early: usize,
    /// Files, with the operation, of which all vectors were: nothing was tested.
    pub untested: Vec<String>,
    /// The first vector that failed; if there is none, the first of the known ones.
    pub failure: Option<Failure>,
}

/// A whole run of `kat`.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// What wrote it.
    pub tool: String,
    /// The command line.
    pub command: Vec<String>,
    /// Where the tool ran.
    pub machine: Host,
    /// Where the code ran, as `--target` calls it.
    pub target: String,
    /// The library, as `--subject` calls it.
    pub subject: String,
    /// Packages of the sysroot that the library came from.
    pub packages: Vec<String>,
    /// Digest of the driver's source and of what compiled it.
    pub driver: String,
    /// Every algorithm in every configuration.
    pub rows: Vec<Row>,
    /// The known failures that were seen.
    pub known: Vec<Known>,
}

/// As columns and options name a policy.
pub fn policy(agnostic: Agnostic) -> &'static str {
    match agnostic {
        Agnostic::Undisturbed => "undisturbed",
        Agnostic::Ones => "ones",
    }
}

/// The rows of a run.
fn rows(plan: &Plan, configured: &[Configured], known: &[Known]) -> Vec<Row> {
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
    let at =
        |c: &'_ Configured, v: usize| -> Option<Checked> { c.results.get(v).cloned().flatten() };
    let done: Vec<(usize, Checked)> = own.filter_map(|v| Some((v, at(c, v)?))).collect();
    if done.is_empty() {
        return None;
    }
    let other = scalar.filter(|s| s.capset.name != c.capset.name);
    let limit = |v: usize, got: &Checked| {
        let (vector, failure) = plan.vectors.vectors.get(v).zip(got.failure.as_deref())?;
        known.iter().find(|k| k.is(vector, failure, c.vlen, &c.capset))
    };
    let of_a_path = |v: usize, got: &Checked| limit(v, got).is_some_and(Known::is_of_a_path);
    let compared = |(v, got): &&(usize, Checked)| {
        other.and_then(|s| at(s, *v)).is_some() && !of_a_path(*v, got)
    };
    let unlike = |(v, got): &&(usize, Checked)| {
        other.and_then(|s| at(s, *v)).is_some_and(|s| s.seen != got.seen) && !of_a_path(*v, got)
    };
    let (untested, lost) = untested(plan, algorithm, &done);
    let passes = |(v, got): &&(usize, Checked)| {
        got.failure.is_none() && got.absent.is_none() && !lost.contains(v)
    };
    let early = |(v, got): &&(usize, Checked)| {
        let of = plan.vectors.vectors.get(*v);
        got.early && of.is_some_and(|v| v.outcome == Outcome::Invalid)
    };
    let known = |(v, got): &&(usize, Checked)| limit(*v, got).is_some();
    let failed = |pair: &&(usize, Checked)| pair.1.failure.is_some() && !known(pair);
    // What the library is known to fail is shown again like any other.
    let first = done.iter().find(failed).or_else(|| done.iter().find(known));
    let count = |f: &dyn Fn(&&(usize, Checked)) -> bool| done.iter().filter(f).count();
    Some(Row {
        algorithm: algorithm.id.clone(),
        capset: c.capset.name.clone(),
        capstring: c.capset.capstring.clone().unwrap_or_default(),
        vlen: c.vlen,
        agnostic: c.agnostic.map(policy),
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

/// Files and operations of which every vector was refused before the operation, and these vectors. One that was picked out
/// stands for no others.
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
    let reproduce = reproduce::text(algorithm, v, &what, c, &plan.again);
    Some(Failure { file: v.file.clone(), id: v.id.clone(), what, reproduce })
}

/// Columns of the CSV, in order.
const COLUMNS: [&str; 17] = [
    "algorithm",
    "capset",
    "capstring",
    "vlen",
    "agnostic",
    "vectors",
    "checks",
    "passed",
    "failed",
    "known",
    "unlike_scalar",
    "absent",
    "early",
    "untested",
    "file",
    "id",
    "failure",
];

impl Row {
    /// Whether all is as it must be, and as on the scalar path.
    pub fn good(&self) -> bool {
        self.failed == 0 && self.unlike_scalar == 0 && self.absent == 0 && self.untested.is_empty()
    }

    /// Where it ran, for people.
    pub fn place(&self) -> String {
        match (self.vlen, self.agnostic) {
            (Some(vlen), Some(a)) => format!("{} at VLEN {vlen}, agnostic {a}", self.capset),
            (Some(vlen), None) => format!("{} at VLEN {vlen}", self.capset),
            _ => self.capset.clone(),
        }
    }

    fn fields(&self) -> [String; 17] {
        let f = self.failure.as_ref();
        let of = |get: fn(&Failure) -> &String| f.map_or(String::new(), |f| quoted(get(f)));
        [
            self.algorithm.clone(),
            self.capset.clone(),
            self.capstring.clone(),
            self.vlen.map_or(String::new(), |v| v.to_string()),
            self.agnostic.unwrap_or_default().into(),
            self.vectors.to_string(),
            self.checks.to_string(),
            self.passed.to_string(),
            self.failed.to_string(),
            self.known.to_string(),
            self.unlike_scalar.to_string(),
            self.absent.to_string(),
            self.early.to_string(),
            quoted(&self.untested.join(" ")),
            of(|f| &f.file),
            of(|f| &f.id),
            of(|f| &f.what),
        ]
    }
}

/// A CSV field (RFC 4180).
fn quoted(s: &str) -> String {
    format!("\"{}\"", s.replace('"', "\"\""))
}

impl Record {
    /// Every row as CSV, with a header.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().map(|r| r.fields().join(","));
        std::iter::once(COLUMNS.join(",")).chain(lines).map(|l| l + "\n").collect()
    }

    /// Puts a run together.
    pub fn new(
        tool: &str,
        plan: &Plan,
        configured: &[Configured],
        runner: &Runner,
    ) -> Result<Record> {
        let failed = configured.iter().flat_map(|c| &c.results).flatten();
        // Asking for the version takes a guest.
        let all = match failed.into_iter().any(|r| r.failure.is_some()) {
            true => known::of(runner)?,
            false => Vec::new(),
        };
        let seen = |k: &Known| {
            configured.iter().any(|c| {
                let results = plan.vectors.vectors.iter().zip(&c.results);
                let mut failed =
                    results.filter_map(|(v, r)| Some((v, r.as_ref()?.failure.as_deref()?)));
                failed.any(|(v, f)| k.is(v, f, c.vlen, &c.capset))
            })
        };
        Ok(Record {
            tool: tool.into(),
            command: std::env::args().skip(1).collect(),
            machine: Host::this(),
            target: runner.target().name().into(),
            subject: runner.subject().into(),
            packages: runner.packages().to_vec(),
            driver: runner.driver_id().into(),
            rows: rows(plan, configured, &all),
            known: all.iter().filter(|k| seen(k)).cloned().collect(),
        })
    }

    /// Whether all is as it must be.
    pub fn good(&self) -> bool {
        self.rows.iter().all(Row::good)
    }
}
