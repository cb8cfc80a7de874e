//! Compares two records, row by row.
//!
//! Counts are compared exactly, measured times with the spread of their samples.

mod across;
mod change;
mod dimension;
mod key;
mod options;
mod output;
mod pairing;
mod significance;

use crate::best::distinct;
use crate::labels::distinct_cores;
use crate::read::one_line;
use crate::{Record, Row};
pub use across::Across;
use anyhow::{Result, bail};
pub use change::{Change, Verdict};
pub use dimension::Dimension;
pub use key::Key;
pub use options::{Figure, Options};
use pairing::{Found, Index, differs, place};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// A row that both records have.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The row.
    #[serde(flatten)]
    pub key: Key,
    /// Its figures.
    pub changes: Vec<Change>,
    /// What is wrong with the new answers, or that there are none, if the old ones were right.
    pub broken: Option<String>,
}

/// A row that both records have, but that cannot be compared.
#[derive(Clone, Debug, Serialize)]
pub struct Apart {
    /// The row.
    #[serde(flatten)]
    pub key: Key,
    /// What differs.
    pub why: String,
    /// What `--across` would have to name for the row to be compared; empty if that does not help.
    #[serde(skip)]
    pub across: Vec<Dimension>,
}

/// The comparison of two records.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What the records were compared across.
    pub across: Vec<Across>,
    /// What else differs: versions, packages.
    pub notes: Vec<String>,
    /// Rows of both, in the order of the new record.
    pub pairs: Vec<Pair>,
    /// Rows of both that cannot be compared.
    pub not_comparable: Vec<Apart>,
    /// Rows of the old record only.
    pub only_old: Vec<Key>,
    /// Rows of the new record only.
    pub only_new: Vec<Key>,
    /// Rows of both that have a figure in the old record but not in the new one, though the answers are right.
    pub without_figure: Vec<Key>,
    /// The limit of `--fail-over`, as a fraction.
    pub fail_over: Option<f64>,
    /// Whether rows of the old record may be missing.
    pub allow_missing: bool,
}

/// The first rows whose keys differ in VLEN alone, with everything else in which they differ; `None` if the records are
/// compared across VLEN already.
fn apart_by_vlen(old: &Record, new: &Record, across: &[Dimension]) -> Option<Apart> {
    if across.contains(&Dimension::Vlen) {
        return None;
    }
    let wider: Vec<Dimension> = across.iter().copied().chain([Dimension::Vlen]).collect();
    let mut before: HashMap<Key, &Row> = HashMap::new();
    for row in &old.rows {
        before.entry(Key::of(row, &wider).id()).or_insert(row);
    }
    let key = |row: &Row| Key::of(row, &wider).id();
    let (a, b) = new.rows.iter().find_map(|b| Some((*before.get(&key(b))?, b)))?;
    let (mut which, why) = differs(&place(a, across), &place(b, across));
    which.push(Dimension::Vlen);
    let [from, to] = [a, b].map(|row| Dimension::Vlen.of(row));
    let gap = if why.is_empty() { "" } else { ", " };
    let why = format!("{why}{gap}vlen {} / {}", across::shown(&from), across::shown(&to));
    Some(Apart { key: key(b), why, across: which })
}

/// Differences in how the records were made that a reader should know.
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
            "driver: differs; its code may lie at other addresses, which can change some cycle counts".into(),
        );
    }
    notes
}

/// Compares the rows that both records have; where a record has a row twice, the first.
///
/// # Errors
/// No row can be compared; the message says why.
pub fn compare(old: &Record, new: &Record, options: &Options) -> Result<Comparison> {
    compared(old, new, options).map_err(one_line)
}

fn compared(old: &Record, new: &Record, options: &Options) -> Result<Comparison> {
    let named = distinct_cores(&[old, new]).map(|names| [old, new].map(|r| names.name(r)));
    let (old, new) = named.as_ref().map_or((old, new), |[old, new]| (old, new));
    let across = options.across.as_slice();
    let place = |row: &Row| place(row, across);
    let key = |row: &Row| Key::of(row, across);
    // Instructions on different targets can be compared; figures that only one target has are left out anyway.
    let method = !across.contains(&Dimension::Target)
        && !old.method.is_empty()
        && !new.method.is_empty()
        && old.method != new.method;
    let before = Index::of(&old.rows, across);
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
        match before.find(&key, &place) {
            Found::Same(_) if method => {
                let why = "method: the figures are of different kinds".into();
                c.not_comparable.push(Apart { key, why, across: Vec::new() });
            }
            Found::Same(old) => c.pair(key, old, row, options),
            Found::Different(other) => {
                let (across, why) = differs(other, &place);
                c.not_comparable.push(Apart { why, key, across });
            }
            Found::Missing => c.only_new.push(key),
        }
    }
    // Of a row that is not comparable, its own remark says so.
    let apart: HashSet<Key> = c.not_comparable.iter().map(|a| a.key.id()).collect();
    for row in &old.rows {
        let (key, place) = (key(row), place(row));
        if !apart.contains(&key.id()) && seen.insert((key.clone(), place)) {
            c.only_old.push(key);
        }
    }
    if c.pairs.is_empty() {
        let apart = apart_by_vlen(old, new, across).filter(|_| c.not_comparable.is_empty());
        c.not_comparable.extend(apart);
        bail!("{}", c.nothing(across, old, new));
    }
    if !c.across.is_empty() && c.pairs.iter().all(|p| p.changes.is_empty()) {
        bail!(
            "the records have no figure in common: retired instructions, modelled cycles or times of a clock"
        );
    }
    Ok(c)
}

impl Comparison {
    /// Adds a row that both records have.
    fn pair(&mut self, key: Key, old: &Row, new: &Row, options: &Options) {
        let changes = change::changes(old, new, options);
        let broken = match (old.is_right(), new.is_right()) {
            (true, false) if new.passed() => Some("no known answer is checked any more".into()),
            _ => (old.passed() && !new.passed()).then(|| new.answers.clone()),
        };
        let had = change::changes(old, old, options).len();
        if broken.is_none() && changes.len() < had && options.across.is_empty() {
            self.without_figure.push(key.clone());
        }
        self.pairs.push(Pair { changes, broken, key });
    }

    /// Why nothing could be compared.
    fn nothing(&self, asked: &[Dimension], old: &Record, new: &Record) -> String {
        match self.not_comparable.first() {
            Some(a) if a.across.is_empty() => {
                format!("no row can be compared: {}; compare records of the same method", a.why)
            }
            Some(a) => {
                let needed = |d: &Dimension| a.across.contains(d) || asked.contains(d);
                let needed: Vec<Dimension> = Dimension::ALL.into_iter().filter(needed).collect();
                // Where that would be ambiguous, it is no remedy yet.
                if let Err(several) = self::across::across(&needed, &old.rows, &new.rows) {
                    return format!("no row can be compared: {}; {several}", a.why);
                }
                let names: Vec<&str> = needed.into_iter().map(Dimension::name).collect();
                format!(
                    "no row can be compared: {}; compare records of the same target, core, subject and VLEN, or compare them \
                     anyway with --across {}",
                    a.why,
                    names.join(",")
                )
            }
            None => "the records have no row in common, with the same case, direction, size, VLEN and capability set".into(),
        }
    }

    /// The number of figures with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.pairs.iter().flat_map(|p| &p.changes).filter(|c| c.verdict == verdict).count()
    }

    /// The number of rows of the old record that were not compared, or lack a figure in the new one.
    pub fn missing(&self) -> usize {
        self.only_old.len() + self.not_comparable.len() + self.without_figure.len()
    }

    /// Whether a figure is worse than allowed, an answer that was right is wrong or not checked, or a required row is missing.
    pub fn failed(&self) -> bool {
        self.count(Verdict::Regression) > 0
            || self.pairs.iter().any(|p| p.broken.is_some())
            || (!self.allow_missing && self.missing() > 0)
    }
}

#[cfg(test)]
mod tests;
