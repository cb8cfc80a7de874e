//! Rows that belong together, and the best of them. A row is `&Row`, or a [`crate::Figure`], which has what is computed from it.

use crate::{ConfigurationRecord, Record, Row};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Deref;

/// A set counts as reaching the best speed if it is within this fraction of it: the cost of a call differs by a few
/// cycles from set to set, by alignment alone.
pub const SAME_SPEED: f64 = 0.005;
/// A set whose speed is further below the best than this fraction never counts as reaching it, however widely times
/// spread.
pub const SAME_TIME: f64 = 0.05;

impl ConfigurationRecord {
    /// A number that grows with the number of the set's extensions.
    pub(crate) fn size(&self) -> usize {
        self.hart.split_whitespace().count()
    }
}

/// What tables need of the sets with one name on one core.
#[derive(Clone, Copy)]
struct Set {
    /// The place of the first among all configurations.
    place: usize,
    /// Its size.
    size: usize,
    /// Whether the core lacks some of any of them.
    beyond_core: bool,
}

/// The sets of a record, by core and name: a sweep has thousands, and tables look up each of thousands of rows. On another core,
/// the same name may mean another set. Old records do not say which core a set is for.
pub struct KnownSets<'a>(HashMap<(&'a str, &'a str), Set>);

impl<'a> KnownSets<'a> {
    /// Those of these configurations.
    pub fn of(all: &'a [ConfigurationRecord]) -> KnownSets<'a> {
        let mut sets: HashMap<(&str, &str), Set> = HashMap::new();
        for (place, c) in all.iter().enumerate() {
            let new = || Set { place, size: c.size(), beyond_core: false };
            let set = sets.entry((&c.core, &c.capset)).or_insert_with(new);
            set.beyond_core |= c.beyond_core;
        }
        KnownSets(sets)
    }

    /// Those of the row's set: for its core, and for any.
    fn find(&self, row: &Row) -> impl Iterator<Item = Set> {
        [row.core.as_str(), ""]
            .into_iter()
            .filter_map(|core| self.0.get(&(core, &row.capset)).copied())
    }

    /// The number of the extensions of the row's set; 0 if it is not known.
    fn size(&self, row: &Row) -> usize {
        self.find(row).min_by_key(|s| s.place).map_or(0, |s| s.size)
    }
}

/// The name of a row's set, with a star if the core lacks some of the set: for tables, whose legends say so.
pub fn shown(row: &Row, sets: &KnownSets) -> String {
    let beyond = sets.find(row).any(|s| s.beyond_core);
    row.capset.clone() + if beyond { " *" } else { "" }
}

/// The uncertainty of a row's rate, as a fraction: the median absolute deviation of its times; 0 for counts.
pub fn spread(r: &Row) -> f64 {
    let timed = r.ns_per_op.is_some();
    r.mad_percent.filter(|m| timed && m.is_finite() && *m > 0.0).map_or(0.0, |m| m / 100.0)
}

/// The smallest set that reaches the best speed of a case: within [`SAME_SPEED`], or where times vary more than that,
/// within the spread of both, but never further than [`SAME_TIME`].
pub fn best<R: Copy + Deref<Target = Row>>(rows: &[R], sets: &KnownSets) -> Option<R> {
    let speed = |r: &Row| r.rate().unwrap_or(0.0);
    let most = rows.iter().map(|r| speed(r)).fold(0.0, f64::max);
    let first = rows.iter().copied().find(|r| speed(r) >= most).map_or(0.0, |r| spread(&r));
    // Compares the longest time of the fastest row with the shortest time of another. Both ranges use the narrower of
    // the two spreads: a wide spread must not make a row count as fast.
    let least = |r: &Row| {
        let both = spread(r).min(first);
        let overlap = (1.0 - both).max(0.0) / (1.0 + both);
        most * overlap.clamp(1.0 - SAME_TIME, 1.0 - SAME_SPEED)
    };
    let fast = rows.iter().copied().filter(|r| speed(r) >= least(r));
    fast.min_by(|a, b| sets.size(a).cmp(&sets.size(b)).then(speed(b).total_cmp(&speed(a))))
}

/// What distinguishes rows in addition to the capability set.
pub fn operation(r: &Row) -> impl Hash + Eq + use<> {
    let place = (r.target.clone(), r.subject.clone(), r.core.clone(), r.vlen);
    (place, r.case.clone(), r.direction.clone(), r.bytes)
}

/// Groups of rows that differ only in the capability set: one of each group is best.
pub fn operations<R: Copy + Deref<Target = Row>>(rows: impl Iterator<Item = R>) -> Vec<Vec<R>> {
    groups(rows, |r| operation(r))
}

/// The row that represents an operation in tables: one with a wrong answer if there is any, else the best.
pub fn standing<R: Copy + Deref<Target = Row>>(rows: &[R], sets: &KnownSets) -> Option<R> {
    rows.iter().copied().find(|r| !r.passed()).or_else(|| best(rows, sets))
}

/// The best row of each operation without a wrong answer, as indices into the record's rows: what tables show, for
/// plots and for the figures at the top of a page.
pub fn best_rows(record: &Record) -> Vec<usize> {
    let rows = &record.rows;
    let places: HashMap<*const Row, usize> =
        rows.iter().enumerate().map(|(i, r)| (std::ptr::from_ref(r), i)).collect();
    let all = operations(rows.iter());
    let sets = KnownSets::of(&record.configurations);
    let found = all.iter().filter_map(|rows| standing(rows, &sets));
    let found = found.filter(|r| r.passed());
    found.filter_map(|r| places.get(&std::ptr::from_ref(r)).copied()).collect()
}

/// Groups of rows with the same key, in the order in which the keys first appear.
pub fn groups<R: Copy + Deref<Target = Row>, K: Hash + Eq>(
    rows: impl Iterator<Item = R>,
    key: impl Fn(&R) -> K,
) -> Vec<Vec<R>> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<Vec<R>> = Vec::new();
    for row in rows {
        let place = *places.entry(key(&row)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

/// Maximum number of columns of tables with a column for each library or size, so that a table grows linearly with its
/// record.
pub const MOST_COLUMNS: usize = 16;

/// The distinct values, in order of first appearance, that get columns in a table, and what its legend says about the
/// others.
pub fn columns<T: Hash + Eq + Clone>(
    values: impl Iterator<Item = T>,
    what: &str,
) -> (Vec<T>, String) {
    let mut seen = HashSet::new();
    let mut all: Vec<T> = values.filter(|v| seen.insert(v.clone())).collect();
    let said = match all.len() {
        n if n > MOST_COLUMNS => {
            format!("Of {n} {what} the first {MOST_COLUMNS} are shown here; results.csv has all.\n")
        }
        _ => String::new(),
    };
    all.truncate(MOST_COLUMNS);
    (all, said)
}

/// Whether the rows differ in this property.
pub fn several<T: PartialEq>(rows: &[Row], f: impl Fn(&Row) -> T) -> bool {
    rows.windows(2).any(|w| f(&w[0]) != f(&w[1]))
}

/// The distinct values of a field, in their order, joined.
pub fn distinct(rows: &[Row], f: impl Fn(&Row) -> String) -> String {
    let mut seen = HashSet::new();
    let new = |v: &String| !v.is_empty() && seen.insert(v.clone());
    rows.iter().map(f).filter(new).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
