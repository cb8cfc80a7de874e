//! Two records, row by row.
//!
//! What is counted is compared exactly; what a clock measured, with the spread of its samples.

mod figure;
mod output;
mod significance;

use anyhow::{Result, bail};
use capvec_bench::record::{Record, Row};
pub use figure::{Change, Figure, Verdict};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// What to take for a regression.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Figures that grow by more than this part are regressions; `None`: none are.
    pub fail_over: Option<f64>,
    /// Figures to compare.
    pub figures: Vec<Figure>,
}

/// What makes a row the same row in another record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Key {
    /// Case.
    pub case: String,
    /// What is done: `enc`, `sign`, …
    pub direction: String,
    /// Message size in bytes; 0 where there is no message.
    pub bytes: usize,
    /// Vector register length in bits.
    pub vlen: u32,
    /// Capability set.
    pub capset: String,
}

/// Where and what: rows of which these differ are not comparable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    target: String,
    core: String,
    subject: String,
}

/// A row of both records.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// Which.
    #[serde(flatten)]
    pub key: Key,
    /// Its figures.
    pub changes: Vec<Change>,
    /// What is wrong with the new answers, where the old ones were right.
    pub broken: Option<String>,
}

/// A row of both that cannot be compared.
#[derive(Clone, Debug, Serialize)]
pub struct Apart {
    /// Which.
    #[serde(flatten)]
    pub key: Key,
    /// What differs.
    pub why: String,
}

/// The comparison of two records.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What differs beside the figures: versions, packages.
    pub notes: Vec<String>,
    /// Rows of both, in the order of the new record.
    pub pairs: Vec<Pair>,
    /// Rows of both that differ in what they are of.
    pub not_comparable: Vec<Apart>,
    /// Rows of the old record only.
    pub only_old: Vec<Key>,
    /// Rows of the new record only.
    pub only_new: Vec<Key>,
    /// The limit that was asked for, as a part.
    pub fail_over: Option<f64>,
}

fn key(row: &Row) -> Key {
    Key {
        case: row.case.clone(),
        direction: row.direction.clone(),
        bytes: row.bytes,
        vlen: row.vlen,
        capset: row.capset.clone(),
    }
}

fn place(row: &Row) -> Place {
    Place { target: row.target.clone(), core: row.core.clone(), subject: row.subject.clone() }
}

impl Place {
    /// What differs between rows of the same key.
    fn differs(&self, new: &Place) -> String {
        let fields = [
            ("target", &self.target, &new.target),
            ("core", &self.core, &new.core),
            ("subject", &self.subject, &new.subject),
        ];
        let named = fields.iter().filter(|(_, a, b)| a != b);
        named.map(|(name, a, b)| format!("{name} {a} / {b}")).collect::<Vec<_>>().join(", ")
    }
}

/// What differs in how the records came about, and is worth a word.
fn notes(old: &Record, new: &Record) -> Vec<String> {
    let versions = |r: &Record| crate::method::distinct(&r.rows, |row| row.version.clone());
    let fields = [
        ("version", versions(old), versions(new)),
        ("packages", old.packages.join(", "), new.packages.join(", ")),
        ("tool", old.tool.clone(), new.tool.clone()),
    ];
    let differs = fields.into_iter().filter(|(_, a, b)| a != b && !a.is_empty() && !b.is_empty());
    let mut notes: Vec<String> = differs.map(|(name, a, b)| format!("{name}: {a} → {b}")).collect();
    if old.driver != new.driver && !old.driver.is_empty() && !new.driver.is_empty() {
        notes.push(
            "driver: differs; its code may lie elsewhere, which caches show as some cycles".into(),
        );
    }
    notes
}

/// Compares the rows that both have; the first, where a record has a row twice.
///
/// # Errors
/// There is no row in common that could be compared; says why.
pub fn compare(old: &Record, new: &Record, options: &Options) -> Result<Comparison> {
    let method = !old.method.is_empty() && !new.method.is_empty() && old.method != new.method;
    let mut before: HashMap<(Key, Place), &Row> = HashMap::new();
    let mut elsewhere: HashMap<Key, Place> = HashMap::new();
    for row in &old.rows {
        before.entry((key(row), place(row))).or_insert(row);
        elsewhere.entry(key(row)).or_insert_with(|| place(row));
    }
    let mut c = Comparison {
        notes: notes(old, new),
        pairs: Vec::new(),
        not_comparable: Vec::new(),
        only_old: Vec::new(),
        only_new: Vec::new(),
        fail_over: options.fail_over,
    };
    let mut seen = HashSet::new();
    for row in &new.rows {
        let (key, place) = (key(row), place(row));
        if !seen.insert((key.clone(), place.clone())) {
            continue;
        }
        match (before.get(&(key.clone(), place.clone())), elsewhere.get(&key)) {
            (Some(_), _) if method => {
                c.not_comparable.push(Apart { key, why: "method: what the figures are".into() });
            }
            (Some(old), _) => c.pairs.push(Pair {
                changes: figure::changes(old, row, options),
                broken: (old.passed() && !row.passed()).then(|| row.answers.clone()),
                key,
            }),
            (None, Some(other)) => {
                c.not_comparable.push(Apart { why: other.differs(&place), key });
            }
            (None, None) => c.only_new.push(key),
        }
    }
    let after: HashSet<Key> = new.rows.iter().map(key).collect();
    let mut named = HashSet::new();
    let lost = old.rows.iter().map(key).filter(|k| !after.contains(k) && named.insert(k.clone()));
    c.only_old = lost.collect();
    if c.pairs.is_empty() {
        bail!("{}", c.nothing());
    }
    Ok(c)
}

impl Comparison {
    /// Why nothing could be compared.
    fn nothing(&self) -> String {
        match self.not_comparable.first() {
            Some(a) => format!(
                "no row can be compared: {}; compare records of the same target, core, subject and method",
                a.why
            ),
            None => "the records have no row in common: same case, direction, size, VLEN and capability set".into(),
        }
    }

    /// Figures with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.pairs.iter().flat_map(|p| &p.changes).filter(|c| c.verdict == verdict).count()
    }

    /// Whether anything is worse than allowed, or wrong that was right.
    pub fn failed(&self) -> bool {
        self.count(Verdict::Regression) > 0 || self.pairs.iter().any(|p| p.broken.is_some())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
