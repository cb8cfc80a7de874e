//! What came of the vectors, for people and programs.

use super::Algorithm;
use super::job::Checked;
use super::known::{Known, known};
use super::reproduce;
use super::run::{Configured, Plan};
use crate::grid::Grid;
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
    /// Vectors for which the library did not give what it gives on the scalar path.
    pub unlike_scalar: usize,
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
    let unlike = |(v, got): &&(usize, Checked)| {
        scalar.and_then(|s| at(s, *v)).is_some_and(|s| s.seen != got.seen)
    };
    let known = |(v, got): &&(usize, Checked)| {
        let vector = plan.vectors.vectors.get(*v);
        let both = vector.zip(got.failure.as_deref());
        both.is_some_and(|(v, f)| known.iter().any(|k| k.is(v, f)))
    };
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
        passed: count(&|(_, got)| got.failure.is_none()),
        failed: count(&failed),
        known: count(&known),
        unlike_scalar: count(&unlike),
        failure: first.and_then(|(v, got)| failure(plan, *v, algorithm, c, got)),
    })
}

fn failure(
    plan: &Plan,
    vector: usize,
    algorithm: &Algorithm,
    c: &Configured,
    got: &Checked,
) -> Option<Failure> {
    let v = plan.vectors.vectors.get(vector)?;
    Some(Failure {
        file: v.file.clone(),
        id: v.id.clone(),
        what: got.failure.clone()?,
        reproduce: reproduce::text(algorithm, v, c, &plan.again),
    })
}

/// Columns of the CSV, in order.
const COLUMNS: [&str; 14] = [
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
    "file",
    "id",
    "failure",
];

impl Row {
    /// Whether all is as it must be, and as on the scalar path.
    pub fn good(&self) -> bool {
        self.failed == 0 && self.unlike_scalar == 0
    }

    /// Where it ran, for people.
    pub fn place(&self) -> String {
        match (self.vlen, self.agnostic) {
            (Some(vlen), Some(a)) => format!("{} at VLEN {vlen}, agnostic {a}", self.capset),
            _ => self.capset.clone(),
        }
    }

    fn fields(&self) -> [String; 14] {
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

/// One line an algorithm.
fn grid(rows: &[Row]) -> Grid {
    let head = [
        "algorithm",
        "vectors",
        "checks",
        "configurations",
        "answers",
        "as scalar",
        "known limits",
    ];
    let mut body: Vec<Vec<String>> = Vec::new();
    for group in rows.chunk_by(|a, b| a.algorithm == b.algorithm) {
        let failed: usize = group.iter().map(|r| r.failed).sum();
        let unlike: usize = group.iter().map(|r| r.unlike_scalar).sum();
        let checks: u64 = group.iter().map(|r| r.checks).sum();
        let most = group.iter().map(|r| r.vectors).max().unwrap_or(0);
        let known = group.iter().map(|r| r.known).max().unwrap_or(0);
        let bad = |n: usize, good: &str| if n == 0 { good.into() } else { format!("{n} FAIL") };
        let name = group.first().map_or(String::new(), |r| r.algorithm.clone());
        body.push(vec![
            name,
            most.to_string(),
            checks.to_string(),
            group.len().to_string(),
            bad(failed, "pass"),
            bad(unlike, "yes"),
            if known == 0 { "–".into() } else { known.to_string() },
        ]);
    }
    Grid { head: head.map(String::from).to_vec(), body }
}

const LEGEND: &str = "\
vectors: per configuration; checks: over all configurations, each vector in several forms (docs/methodology.md).
configurations: capability sets, VLENs and policies for agnostic elements. as scalar: the same bytes as on the
scalar path, refusals included. known limits: vectors that fail as the stock library is known to, listed below.
";

impl Record {
    /// Every row as CSV, with a header.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().map(|r| r.fields().join(","));
        std::iter::once(COLUMNS.join(",")).chain(lines).map(|l| l + "\n").collect()
    }

    /// For a terminal, folded to `width`, or for a file.
    pub fn text(&self, width: Option<u16>) -> String {
        format!("{}\n{LEGEND}{}\n{}", grid(&self.rows).text(width), self.sum(), self.failures())
    }

    /// As Markdown.
    pub fn markdown(&self) -> String {
        format!("{}\n{}\n{}", grid(&self.rows).markdown(), self.sum(), self.failures())
    }

    fn sum(&self) -> String {
        let checks: u64 = self.rows.iter().map(|r| r.checks).sum();
        let vectors: usize = self.rows.iter().map(|r| r.vectors).sum();
        let failed: usize = self.rows.iter().map(|r| r.failed).sum();
        let mut text = format!("{vectors} vectors, {checks} checks, {failed} vectors failed.\n");
        for k in &self.known {
            let ids = k.ids.join(", ");
            text += &format!("Known limit of {}: {}, {ids}: {}.\n", k.subject, k.file, k.why);
        }
        text
    }

    /// Puts a run together.
    pub fn new(
        tool: &str,
        plan: &Plan,
        configured: &[Configured],
        runner: &Runner,
    ) -> Result<Record> {
        let all = known()?;
        let seen = |k: &Known| {
            let results =
                configured.iter().flat_map(|c| plan.vectors.vectors.iter().zip(&c.results));
            let failed = results.filter_map(|(v, r)| Some((v, r.as_ref()?.failure.as_deref()?)));
            failed.into_iter().any(|(v, f)| k.is(v, f))
        };
        Ok(Record {
            tool: tool.into(),
            command: std::env::args().skip(1).collect(),
            machine: Host::this(),
            packages: runner.packages().to_vec(),
            driver: runner.driver_id(),
            rows: rows(plan, configured, &all),
            known: all.iter().filter(|k| seen(k)).cloned().collect(),
        })
    }

    /// The first failure of every algorithm in every configuration, the same one once; known ones too.
    pub fn failures(&self) -> String {
        let mut text = String::new();
        let mut told: Vec<(&str, &str, &str)> = Vec::new();
        for r in &self.rows {
            let Some(f) = &r.failure else { continue };
            let key = (f.file.as_str(), f.id.as_str(), f.what.as_str());
            if told.contains(&key) {
                continue;
            }
            told.push(key);
            let (count, how) = match r.failed {
                0 => (r.known, "fail as the library is known to"),
                failed => (failed, "fail"),
            };
            text += &format!(
                "\n{} with {}: {count} of {} vectors {how}, first {} of {}\n  {}\n{}",
                r.algorithm,
                r.place(),
                r.vectors,
                f.id,
                f.file,
                f.what,
                f.reproduce
            );
        }
        text
    }

    /// Whether all is as it must be.
    pub fn good(&self) -> bool {
        self.rows.iter().all(Row::good)
    }
}
