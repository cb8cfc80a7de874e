//! Labels of records that are shown together: each names what distinguishes its record, or its row, from the others.

mod same_name;
#[cfg(test)]
mod tests;

pub use same_name::{Additions, distinct_cores};

use crate::{Kind, Record, Row};
use capvec_text::digits::size;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

/// Number of values of a fact that a label names; it counts the others.
const NAMED: usize = 4;
/// Longer texts would only make a label hard to read: the record's number distinguishes as well.
const LONG: usize = 48;

/// Which VLEN the label of a row shows, where records differ in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vlen {
    /// The row's own.
    Row,
    /// All VLENs of the row's record: for rows of several VLENs under one label.
    Record,
}

/// The labels of records.
pub struct Labels {
    shown: Shown,
    /// The label of each record.
    records: Vec<String>,
    /// The VLENs of each record.
    vlens: Vec<String>,
    /// What distinguishes a record from others whose rows have the same text.
    suffixes: Vec<String>,
    /// The texts that occur in rows of several records.
    shared: HashSet<String>,
}

/// The facts that make up the labels.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    place: bool,
    processor: bool,
    vlen: bool,
    subject: bool,
    version: bool,
}

/// Where the code ran: the core model, or else the target.
fn place(row: &Row) -> &str {
    if row.core.is_empty() { &row.target } else { &row.core }
}

/// The processor of a machine. An emulator's is left out: counts do not depend on the machine that it ran on.
fn processor(record: &Record) -> &str {
    if record.target.kind == Kind::Real { &record.target.processor } else { "" }
}

fn set<T: Eq + Hash>(values: impl Iterator<Item = T>) -> HashSet<T> {
    values.collect()
}

/// The first of these values, and how many more there are.
fn named<T: Eq + Hash + Copy>(values: impl Iterator<Item = T>, text: fn(T) -> String) -> String {
    let mut seen = HashSet::new();
    let mut all: Vec<T> = values.filter(|v| seen.insert(*v)).collect();
    let more = all.len().saturating_sub(NAMED);
    all.truncate(NAMED);
    let mut texts: Vec<String> = all.into_iter().map(text).filter(|t| !t.is_empty()).collect();
    texts.extend((more > 0).then(|| format!("{more} more")));
    texts.join(", ")
}

fn joined(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(", ")
}

/// "VLEN 128, 256", in ascending order; empty where none is known.
fn vlens(record: &Record) -> String {
    let all: BTreeSet<u32> = record.rows.iter().map(|r| r.vlen).filter(|v| *v > 0).collect();
    match named(all.into_iter(), |v| v.to_string()) {
        none if none.is_empty() => none,
        some => format!("VLEN {some}"),
    }
}

impl Shown {
    fn of(records: &[&Record], vlens: &[String]) -> Shown {
        let rows = || records.iter().flat_map(|r| &r.rows);
        let subjects = set(rows().map(|r| &r.subject)).len();
        // Where each library has one version, the library's name is enough.
        let versions = set(rows().map(|r| (&r.subject, &r.version))).len();
        let known = |v: &&String| !v.is_empty();
        let mut shown = Shown {
            place: set(rows().map(place)).len() > 1,
            processor: set(records.iter().map(|r| processor(r)).filter(|p| !p.is_empty())).len()
                > 1,
            vlen: set(vlens.iter().filter(known)).len() > 1,
            subject: subjects > 1,
            version: versions > subjects,
        };
        // A VLEN or a number alone is not a name.
        shown.place |= records.len() > 1 && !shown.subject && !shown.version;
        shown
    }

    fn row(self, record: &Record, row: &Row, vlen: String) -> String {
        let part = |shown: bool, text: &str| if shown { text.to_string() } else { String::new() };
        joined([
            part(self.place, place(row)),
            part(self.processor, processor(record)),
            part(self.vlen, &vlen),
            part(self.subject, &row.subject),
            part(self.version, &row.version),
        ])
    }

    fn record(self, record: &Record, vlens: &str) -> String {
        let rows = &record.rows;
        let of = |shown: bool, f: fn(&Row) -> &str| {
            if shown { named(rows.iter().map(f), str::to_string) } else { String::new() }
        };
        joined([
            of(self.place, place),
            if self.processor { processor(record).to_string() } else { String::new() },
            if self.vlen { vlens.to_string() } else { String::new() },
            of(self.subject, |r| &r.subject),
            of(self.version, |r| &r.version),
        ])
    }
}

/// The VLEN of a row, as labels show it.
fn vlen(row: &Row) -> String {
    if row.vlen > 0 { format!("VLEN {}", row.vlen) } else { String::new() }
}

impl Labels {
    /// The labels of these records. Cores with equal names must go through [`distinct_cores`] first.
    pub fn of(records: &[&Record]) -> Labels {
        let vlens: Vec<String> = records.iter().map(|r| vlens(r)).collect();
        let shown = Shown::of(records, &vlens);
        let mut owners: HashMap<String, BTreeSet<usize>> = HashMap::new();
        for (i, record) in records.iter().enumerate() {
            // Thousands of rows have few distinct texts.
            for text in set(record.rows.iter().map(|r| shown.row(record, r, vlen(r)))) {
                owners.entry(text).or_default().insert(i);
            }
        }
        owners.retain(|_, all| all.len() > 1);
        let texts: Vec<String> =
            records.iter().zip(&vlens).map(|(r, v)| shown.record(r, v)).collect();
        let mut called: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (i, text) in texts.iter().enumerate() {
            called.entry(text).or_default().insert(i);
        }
        let mut same = vec![BTreeSet::new(); records.len()];
        for all in owners.values().chain(called.values()) {
            for i in all {
                if let Some(same) = same.get_mut(*i) {
                    same.extend(all.iter().filter(|o| *o != i));
                }
            }
        }
        let suffixes = suffixes(records, &same);
        let shared = owners.into_keys().collect();
        let label = |(text, suffix): (String, &String)| joined([text, suffix.clone()]);
        let labels = match records.len() {
            0 | 1 => vec![String::new(); records.len()],
            _ => texts.into_iter().zip(&suffixes).map(label).collect(),
        };
        Labels { shown, records: labels, vlens, suffixes, shared }
    }

    /// The label of the record at this index; empty if it is the only one.
    pub fn record(&self, number: usize) -> &str {
        self.records.get(number).map_or("", String::as_str)
    }

    /// Whether labels of rows name the VLEN.
    pub fn has_vlen(&self) -> bool {
        self.shown.vlen
    }

    /// The label of a row of that record; empty if the rows' origins do not distinguish them.
    pub fn row(&self, number: usize, record: &Record, row: &Row, which: Vlen) -> String {
        let text = self.shown.row(record, row, vlen(row));
        let tied = self.shared.contains(&text);
        let suffix = self.suffixes.get(number).filter(|_| tied).cloned().unwrap_or_default();
        let text = match which {
            Vlen::Row => text,
            Vlen::Record => {
                let all = self.vlens.get(number).cloned().unwrap_or_default();
                self.shown.row(record, row, all)
            }
        };
        joined([text, suffix])
    }
}

/// What else distinguishes records that have the same text, or rows with the same text: the first facts that do, or if
/// all are equal, the record's number. A record gets only what it needs: `same` has the others that it could be
/// confused with.
fn suffixes(records: &[&Record], same: &[BTreeSet<usize>]) -> Vec<String> {
    let facts: [fn(&Record) -> String; 4] = [
        |r| named(r.rows.iter().map(|row| row.bytes), size),
        |r| named(r.rows.iter().map(|row| row.case.as_str()), str::to_string),
        |r| r.target.library.clone(),
        |r| r.tool.clone(),
    ];
    let mut suffixes = vec![String::new(); records.len()];
    for fact in facts {
        let texts: Vec<String> = records.iter().map(|r| fact(r)).collect();
        let readable =
            |i: usize| texts.get(i).is_some_and(|t| !t.is_empty() && t.chars().count() <= LONG);
        let helps = |i: &usize| {
            let others = alike(&suffixes, same, *i);
            let all_readable = readable(*i) && others.iter().all(|o| readable(*o));
            all_readable && others.iter().any(|o| texts.get(*o) != texts.get(*i))
        };
        let wanted: Vec<usize> = (0..records.len()).filter(helps).collect();
        append(&mut suffixes, &wanted, |i| texts.get(i).cloned().unwrap_or_default());
    }
    let left: Vec<usize> =
        (0..records.len()).filter(|i| !alike(&suffixes, same, *i).is_empty()).collect();
    append(&mut suffixes, &left, |i| format!("run {}", i + 1));
    suffixes
}

/// The records that this one could be confused with and that have the same suffix.
fn alike(suffixes: &[String], same: &[BTreeSet<usize>], i: usize) -> Vec<usize> {
    let others = same.get(i).into_iter().flatten().copied();
    others.filter(|o| suffixes.get(*o) == suffixes.get(i)).collect()
}

fn append(suffixes: &mut [String], wanted: &[usize], text: impl Fn(usize) -> String) {
    for i in wanted {
        if let Some(suffix) = suffixes.get_mut(*i) {
            *suffix = joined([std::mem::take(suffix), text(*i)]);
        }
    }
}
