//! The summary that `capvec kat` prints.

use super::{Record, Row};
use crate::grid::Grid;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// One line for each algorithm.
pub(super) fn grid(rows: &[Row]) -> Grid {
    let head = [
        "algorithm",
        "vectors",
        "checks",
        "configurations",
        "answers",
        "as scalar",
        "refused early",
        "known failures",
    ];
    let mut body: Vec<Vec<String>> = Vec::new();
    for group in rows.chunk_by(|a, b| a.algorithm == b.algorithm) {
        let failed: usize = group.iter().map(|r| r.failed).sum();
        let unlike: usize = group.iter().map(|r| r.unlike_scalar).sum();
        let checks: u64 = group.iter().map(|r| r.checks).sum();
        let most = group.iter().map(|r| r.vectors).max().unwrap_or(0);
        let known = group.iter().map(|r| r.known).max().unwrap_or(0);
        let early = group.iter().map(|r| r.early).max().unwrap_or(0);
        let some = |n: usize| if n == 0 { "–".into() } else { n.to_string() };
        let bad = |n: usize, good: &str| if n == 0 { good.into() } else { format!("{n} FAIL") };
        let name = group.first().map_or(String::new(), |r| r.algorithm.clone());
        body.push(vec![
            name,
            most.to_string(),
            checks.to_string(),
            group.len().to_string(),
            answers(group, failed),
            bad(unlike, if group.iter().any(|r| r.compared > 0) { "yes" } else { "–" }),
            some(early),
            some(known),
        ]);
    }
    Grid { head: head.map(String::from).to_vec(), body }
}

fn answers(rows: &[Row], failed: usize) -> String {
    if rows.iter().any(|r| r.absent > 0) {
        "not available".into()
    } else if failed > 0 {
        format!("{failed} FAIL")
    } else if rows.iter().any(|r| !r.untested.is_empty()) {
        "not tested".into()
    } else {
        "pass".into()
    }
}

pub(super) const LEGEND: &str = "\
vectors: per configuration; checks: over all configurations, each vector in several forms (docs/methodology.md).
configurations: capability sets, VLENs and policies for agnostic elements. as scalar: the same bytes as on the
scalar path, refusals included. refused early: of the vectors that must be refused, those whose key, IV or parameters
the library rejects during set-up, so that the operation itself was not tested. known failures: vectors that fail as the
stock library is known to, listed below.
";

/// Distinct values, in order of first appearance.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for v in values {
        if !seen.contains(&v) {
            seen.push(v);
        }
    }
    seen
}

fn listed<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// What ran, by set, VLEN and policy, and what was compared.
fn ran(record: &Record) -> String {
    let rows = &record.rows;
    let with = || rows.iter().filter(|r| r.vlen.is_some());
    let vectors = distinct(with().map(|r| r.capset.as_str())).len();
    let without = distinct(rows.iter().filter(|r| r.vlen.is_none()).map(|r| r.capset.as_str()));
    let sets = if without.len() == 1 { "set" } else { "sets" };
    let mut text = format!("Ran on {}: {} capability {sets}", record.target, without.len());
    if vectors > 0 {
        let vlens = distinct(with().filter_map(|r| r.vlen));
        text += &format!(" without V, {vectors} with V, at VLEN {}", listed(&vlens));
        let policies = distinct(with().filter_map(|r| r.agnostic.as_deref()));
        if !policies.is_empty() {
            text += &format!(", with agnostic elements {}", listed(&policies));
        }
    }
    let compared: usize = rows.iter().map(|r| r.compared).sum();
    let unlike: usize = rows.iter().map(|r| r.unlike_scalar).sum();
    text + &match compared {
        0 => ". Nothing to compare with the scalar path.\n".into(),
        n => format!(
            ". Equal to the scalar path, byte for byte and refusal for refusal: {} of {n} vectors on other sets.\n",
            n - unlike
        ),
    }
}

/// What was not checked of an algorithm, in any of its configurations.
fn unchecked(rows: &[Row]) -> String {
    let mut text = String::new();
    if let Some(r) = rows.iter().max_by_key(|r| r.absent).filter(|r| r.absent > 0) {
        text += &format!(
            "\n{} is not available in this library: {} vectors are not checked. Name the others with --algorithms.\n",
            r.algorithm, r.absent
        );
    }
    for file in distinct(rows.iter().flat_map(|r| &r.untested)) {
        let mut places = rows.iter().filter(|r| r.untested.contains(file)).map(Row::place);
        let first = places.next().unwrap_or_default();
        let others = match places.count() {
            0 => String::new(),
            1 => " and one other configuration".into(),
            n => format!(" and {n} other configurations"),
        };
        let name = rows.first().map_or("", |r| &r.algorithm);
        text += &format!(
            "\n{name} with {first}{others}: all vectors of {file} are refused before the operation: nothing was tested.\n"
        );
    }
    text
}

/// Distinct vectors, and the configurations in which they were checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Vectors, each counted once.
    pub vectors: usize,
    /// Capability sets, each with its VLENs and policies for agnostic elements.
    pub configurations: usize,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} vectors in {} configurations", self.vectors, self.configurations)
    }
}

impl Record {
    /// The vectors that failed, and all of them: one that is checked in several configurations counts in each.
    pub fn failed(&self) -> (usize, usize) {
        let sum = |f: fn(&Row) -> usize| self.rows.iter().map(f).sum();
        (sum(|r| r.failed), sum(|r| r.vectors))
    }

    /// What was checked. Some sets have fewer vectors of an algorithm than others.
    pub fn counted(&self) -> Counted {
        let mut most: BTreeMap<&str, usize> = BTreeMap::new();
        let mut configurations = BTreeSet::new();
        for r in &self.rows {
            let own = most.entry(&r.algorithm).or_default();
            *own = r.vectors.max(*own);
            configurations.insert((&r.capset, &r.capstring, r.vlen, &r.agnostic));
        }
        Counted { vectors: most.values().sum(), configurations: configurations.len() }
    }

    /// For a terminal, folded to `width`, or for a file.
    pub fn text(&self, width: Option<u16>) -> String {
        format!("{}\n{LEGEND}{}\n{}", grid(&self.rows).text(width), self.sum(), self.failures())
    }

    /// As Markdown.
    pub fn markdown(&self) -> String {
        format!("{}\n{}\n{}", grid(&self.rows).markdown(), self.sum(), self.failures())
    }

    pub(super) fn sum(&self) -> String {
        let checks: u64 = self.rows.iter().map(|r| r.checks).sum();
        let (failed, all) = self.failed();
        let vectors = match self.counted() {
            one if one.configurations < 2 => format!("{all} vectors"),
            several => format!("{several}: {all} in all"),
        };
        let mut text = format!("{vectors}, {checks} checks, {failed} vectors failed.\n");
        text += &ran(self);
        for k in &self.known {
            let ids = k.ids.join(", ");
            text += &format!("Known failure of {}: {}, {ids}: {}.\n", k.title(), k.file, k.why);
        }
        text
    }

    /// What was not checked, and the first failure of every algorithm in every configuration, known ones included, without repetitions.
    pub fn failures(&self) -> String {
        let mut text = String::new();
        for group in self.rows.chunk_by(|a, b| a.algorithm == b.algorithm) {
            text += &unchecked(group);
        }
        let mut seen: Vec<(&str, &str, &str, bool)> = Vec::new();
        for r in &self.rows {
            let Some(f) = &r.failure else { continue };
            // A known failure on one set says nothing about a failure on another.
            let key = (f.file.as_str(), f.id.as_str(), f.what.as_str(), r.failed == 0);
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A library may refuse on one set what it computes on another.
    #[test]
    fn what_was_not_checked_is_named_whichever_configuration_it_was() {
        let row = |capset: &str, absent, untested: &[&str]| Row {
            algorithm: "aes".into(),
            capset: capset.into(),
            absent,
            untested: untested.iter().map(ToString::to_string).collect(),
            ..Row::default()
        };
        let rows = vec![
            row("scalar", 0, &[]),
            row("zvkned", 0, &["a.txt"]),
            row("zvkb_zvkned", 7, &["a.txt", "b.txt"]),
            row("full", 7, &["a.txt"]),
        ];
        let text = Record { rows, ..Record::default() }.failures();
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
        let refused = "are refused before the operation: nothing was tested.";
        let expected = [
            "aes is not available in this library: 7 vectors are not checked. Name the others with --algorithms.".into(),
            format!("aes with zvkned and 2 other configurations: all vectors of a.txt {refused}"),
            format!("aes with zvkb_zvkned: all vectors of b.txt {refused}"),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_vector_is_counted_once_in_each_configuration() {
        let row = |algorithm: &str, capset: &str, vlen, vectors| Row {
            algorithm: algorithm.into(),
            capset: capset.into(),
            vlen,
            vectors,
            passed: vectors,
            ..Row::default()
        };
        let mut record = Record {
            rows: vec![
                row("aes", "scalar", None, 10),
                row("aes", "full", Some(128), 8),
                row("aes", "full", Some(256), 10),
                row("sha", "scalar", None, 5),
                row("sha", "full", Some(128), 5),
                row("sha", "full", Some(256), 5),
            ],
            ..Record::default()
        };
        assert_eq!(record.failed(), (0, 43));
        assert_eq!(record.counted(), Counted { vectors: 15, configurations: 3 });
        let text = record.text(None);
        let line = "\n15 vectors in 3 configurations: 43 in all, 0 checks, 0 vectors failed.\n";
        assert!(text.contains(line), "{text}");
        record.rows.retain(|r| r.capset == "scalar");
        let text = record.text(None);
        assert!(text.contains("\n15 vectors, 0 checks, 0 vectors failed.\n"), "{text}");
    }
}
