//! Two records, row by row.
//!
//! What is counted is compared exactly; what a clock measured, with the spread of its samples.

mod across;
mod figure;
mod output;
mod significance;

use crate::labels::{Labels, told_apart};
use crate::read::one_line;
use crate::view::best::distinct;
use crate::{Record, Row};
pub use across::{Across, Dimension};
use anyhow::{Result, bail};
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
    /// What may differ between the records.
    pub across: Vec<Dimension>,
    /// Rows of the old record may be missing from the new one.
    pub allow_missing: bool,
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
    /// Vector register length in bits; 0 where none is known, or records are compared across it.
    pub vlen: u32,
    /// Capability set.
    pub capset: String,
}

/// Where and what: rows of which these differ are not comparable.
type Place = Vec<(Dimension, String)>;

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
    /// What `--across` would have to name for it to be compared; nothing if that does not help.
    #[serde(skip)]
    pub across: Vec<Dimension>,
}

/// The comparison of two records.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What the records were compared across.
    pub across: Vec<Across>,
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
    /// Rows of both of which the new record has no longer a figure that the old one has, though its answers are right.
    pub without_figure: Vec<Key>,
    /// The limit that was asked for, as a part.
    pub fail_over: Option<f64>,
    /// Whether rows of the old record may be missing.
    pub allow_missing: bool,
}

impl Key {
    fn of(row: &Row, across: &[Dimension]) -> Key {
        Key {
            case: row.case.clone(),
            direction: row.direction.clone(),
            bytes: row.bytes,
            vlen: if across.contains(&Dimension::Vlen) { 0 } else { row.vlen },
            capset: row.capset.clone(),
        }
    }
}

fn place(row: &Row, across: &[Dimension]) -> Place {
    let fixed = |d: &Dimension| *d != Dimension::Vlen && !across.contains(d);
    Dimension::ALL.into_iter().filter(fixed).map(|d| (d, d.of(row))).collect()
}

/// What differs between rows of the same key.
fn differs(old: &Place, new: &Place) -> (Vec<Dimension>, String) {
    let named = old.iter().zip(new).filter(|(a, b)| a.1 != b.1);
    let of = |((d, a), (_, b)): (&(Dimension, String), &(Dimension, String))| {
        (*d, format!("{} {} / {}", d.name(), across::shown(a), across::shown(b)))
    };
    let (which, text): (Vec<_>, Vec<_>) = named.map(of).unzip();
    (which, text.join(", "))
}

/// Whether rows of both differ in VLEN alone.
fn only_vlen_differs(old: &Record, new: &Record) -> bool {
    let key = |row: &Row| (Key::of(row, &[Dimension::Vlen]), place(row, &[]));
    let all: HashSet<_> = old.rows.iter().map(key).collect();
    new.rows.iter().any(|row| all.contains(&key(row)))
}

/// What differs in how the records came about, and is worth a word.
fn notes(old: &Record, new: &Record) -> Vec<String> {
    let versions = |r: &Record| distinct(&r.rows, |row| row.version.clone());
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
    compared(old, new, options).map_err(one_line)
}

fn compared(old: &Record, new: &Record, options: &Options) -> Result<Comparison> {
    let apart = told_apart(&[old, new]);
    let (old, new) = match apart.as_deref() {
        Some([old, new]) => (old, new),
        _ => (old, new),
    };
    let across = options.across.as_slice();
    let place = |row: &Row| place(row, across);
    let key = |row: &Row| Key::of(row, across);
    // Instructions of other targets are instructions; figures that only one of them has are not compared anyway.
    let method = !across.contains(&Dimension::Target)
        && !old.method.is_empty()
        && !new.method.is_empty()
        && old.method != new.method;
    let mut before: HashMap<(Key, Place), &Row> = HashMap::new();
    let mut elsewhere: HashMap<Key, Place> = HashMap::new();
    for row in &old.rows {
        before.entry((key(row), place(row))).or_insert(row);
        elsewhere.entry(key(row)).or_insert_with(|| place(row));
    }
    let mut c = Comparison {
        across: across::across(across, &old.rows, &new.rows)?,
        notes: notes(old, new),
        pairs: Vec::new(),
        not_comparable: Vec::new(),
        only_old: Vec::new(),
        only_new: Vec::new(),
        without_figure: Vec::new(),
        fail_over: options.fail_over,
        allow_missing: options.allow_missing,
    };
    let mut seen = HashSet::new();
    for row in &new.rows {
        let (key, place) = (key(row), place(row));
        if !seen.insert((key.clone(), place.clone())) {
            continue;
        }
        match (before.get(&(key.clone(), place.clone())), elsewhere.get(&key)) {
            (Some(_), _) if method => {
                let why = "method: what the figures are".into();
                c.not_comparable.push(Apart { key, why, across: Vec::new() });
            }
            (Some(old), _) => c.pair(key, old, row, options),
            (None, Some(other)) => {
                let (across, why) = differs(other, &place);
                c.not_comparable.push(Apart { why, key, across });
            }
            (None, None) => c.only_new.push(key),
        }
    }
    let after: HashSet<Key> = new.rows.iter().map(key).collect();
    let mut named = HashSet::new();
    let lost = old.rows.iter().map(key).filter(|k| !after.contains(k) && named.insert(k.clone()));
    c.only_old = lost.collect();
    if c.pairs.is_empty() {
        bail!("{}", c.nothing(old, new));
    }
    if !c.across.is_empty() && c.pairs.iter().all(|p| p.changes.is_empty()) {
        bail!(
            "the records have no figure in common: retired instructions, modelled cycles or times of a clock"
        );
    }
    Ok(c)
}

impl Comparison {
    /// A row of both.
    fn pair(&mut self, key: Key, old: &Row, new: &Row, options: &Options) {
        let changes = figure::changes(old, new, options);
        let broken = (old.passed() && !new.passed()).then(|| new.answers.clone());
        let had = figure::changes(old, old, options).len();
        if broken.is_none() && changes.len() < had && options.across.is_empty() {
            self.without_figure.push(key.clone());
        }
        self.pairs.push(Pair { changes, broken, key });
    }

    /// Why nothing could be compared.
    fn nothing(&self, old: &Record, new: &Record) -> String {
        let across = |what: &str, same: &str, which: &[Dimension]| {
            let names: Vec<&str> = which.iter().map(|d| d.name()).collect();
            format!(
                "no row can be compared: {what}; compare records of the same {same}, or have them compared nevertheless with \
                 --across {}",
                names.join(",")
            )
        };
        match self.not_comparable.first() {
            Some(a) if a.across.is_empty() => {
                format!("no row can be compared: {}; compare records of the same method", a.why)
            }
            Some(a) => across(&a.why, "target, core and subject", &a.across),
            None if only_vlen_differs(old, new) => {
                let labels = Labels::of(&[old, new]);
                let what = format!("{} / {}", labels.record(0), labels.record(1));
                across(&what, "VLEN", &[Dimension::Vlen])
            }
            None => "the records have no row in common: same case, direction, size, VLEN and capability set".into(),
        }
    }

    /// Figures with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.pairs.iter().flat_map(|p| &p.changes).filter(|c| c.verdict == verdict).count()
    }

    /// Rows of the old record that were not compared, or lack a figure now.
    pub fn missing(&self) -> usize {
        self.only_old.len() + self.not_comparable.len() + self.without_figure.len()
    }

    /// Whether anything is worse than allowed, wrong that was right, or missing that must not be.
    pub fn failed(&self) -> bool {
        self.count(Verdict::Regression) > 0
            || self.pairs.iter().any(|p| p.broken.is_some())
            || (!self.allow_missing && self.missing() > 0)
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
