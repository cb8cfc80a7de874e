//! Rows that belong together, and the best of them.

use crate::{ConfigurationRecord, Record, Row};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

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

    /// Whether this is the set of the row. On another core, the same name may mean another set. Old records do not say
    /// which core a set is for.
    fn is_of(&self, row: &Row) -> bool {
        self.capset == row.capset && (self.core.is_empty() || self.core == row.core)
    }
}

/// The name of a row's set, with a star if the core lacks some of the set: for tables, whose legends say so.
pub fn shown(row: &Row, sets: &[ConfigurationRecord]) -> String {
    let beyond = sets.iter().any(|s| s.is_of(row) && s.beyond_core);
    row.capset.clone() + if beyond { " *" } else { "" }
}

/// The uncertainty of a row's rate, as a fraction: the median absolute deviation of its times; 0 for counts.
pub fn spread(r: &Row) -> f64 {
    let timed = r.ns_per_op.is_some();
    r.mad_percent.filter(|m| timed && m.is_finite() && *m > 0.0).map_or(0.0, |m| m / 100.0)
}

/// The smallest set that reaches the best speed of a case: within [`SAME_SPEED`], or where times spread more than that,
/// within the spread of both, but never further than [`SAME_TIME`].
pub fn best<'a>(rows: &[&'a Row], sets: &[ConfigurationRecord]) -> Option<&'a Row> {
    let size = |r: &Row| sets.iter().find(|s| s.is_of(r)).map_or(0, ConfigurationRecord::size);
    let speed = |r: &Row| r.rate().unwrap_or(0.0);
    let most = rows.iter().map(|r| speed(r)).fold(0.0, f64::max);
    let first = rows.iter().copied().find(|r| speed(r) >= most).map_or(0.0, spread);
    // Compares the longest time of the fastest row with the shortest time of another. Both ranges use the narrower of
    // the two spreads: a wide spread must not make a row count as fast.
    let least = |r: &Row| {
        let both = spread(r).min(first);
        let overlap = (1.0 - both).max(0.0) / (1.0 + both);
        most * overlap.clamp(1.0 - SAME_TIME, 1.0 - SAME_SPEED)
    };
    let fast = rows.iter().copied().filter(|r| speed(r) >= least(r));
    fast.min_by(|a, b| size(a).cmp(&size(b)).then(speed(b).total_cmp(&speed(a))))
}

/// What distinguishes rows in addition to the capability set.
pub fn operation(r: &Row) -> impl Hash + Eq + use<> {
    let place = (r.target.clone(), r.subject.clone(), r.core.clone(), r.vlen);
    (place, r.case.clone(), r.direction.clone(), r.bytes)
}

/// Groups of rows that differ only in the capability set: one of each group is best.
pub fn operations<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Vec<&'a Row>> {
    groups(rows, operation)
}

/// The row that represents an operation in tables: one with a wrong answer if there is any, else the best.
pub fn standing<'a>(rows: &[&'a Row], sets: &[ConfigurationRecord]) -> Option<&'a Row> {
    rows.iter().copied().find(|r| !r.passed()).or_else(|| best(rows, sets))
}

/// The best row of each operation without a wrong answer, as indices into the record's rows: what tables show, for
/// plots and for the figures at the top of a page.
pub fn best_rows(record: &Record) -> Vec<usize> {
    let rows = &record.rows;
    let places: HashMap<*const Row, usize> =
        rows.iter().enumerate().map(|(i, r)| (std::ptr::from_ref(r), i)).collect();
    let all = operations(rows.iter());
    let found = all.iter().filter_map(|rows| standing(rows, &record.configurations));
    let found = found.filter(|r| r.passed());
    found.filter_map(|r| places.get(&std::ptr::from_ref(r)).copied()).collect()
}

/// Groups of rows with the same key, in the order in which the keys first appear.
pub fn groups<'a, K: Hash + Eq>(
    rows: impl Iterator<Item = &'a Row>,
    key: impl Fn(&Row) -> K,
) -> Vec<Vec<&'a Row>> {
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let place = *places.entry(key(row)).or_insert(groups.len());
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
mod tests {
    use super::*;
    use crate::testing::{row, set};

    #[test]
    fn the_smallest_of_equally_fast_sets_is_best() {
        let sets = ["scalar", "full", "zvkg", "zvkb_zvkg"].map(set);
        let costs = [100.0, 10.0, 10.03, 10.0];
        let rows: Vec<Row> =
            sets.iter().zip(costs).map(|(s, cost)| row("x", &s.capset, 64, cost)).collect();
        let all: Vec<&Row> = rows.iter().collect();
        assert_eq!(best(&all, &sets).unwrap().capset, "zvkg");
    }

    /// Times that spread by 3 % do not distinguish sets that are 4 % apart; counts do, whatever a record says about
    /// them.
    #[test]
    fn times_whose_ranges_overlap_are_equal() {
        let sets = ["scalar", "zvkg", "full"].map(set);
        let best_of = |spread: f64, timed: bool| {
            let timed = |name: &str, cost: f64| Row {
                ns_per_op: timed.then_some(cost),
                mad_percent: Some(spread),
                ..row("x", name, 64, cost)
            };
            let rows = [timed("scalar", 900.0), timed("zvkg", 104.0), timed("full", 100.0)];
            best(&rows.iter().collect::<Vec<_>>(), &sets).unwrap().capset.clone()
        };
        assert_eq!([best_of(0.1, true), best_of(3.0, true)], ["full", "zvkg"]);
        assert_eq!(best_of(3.0, false), "full");
    }

    /// Measured on a busy machine: SHA-256 with 16 KiB, and ChaCha20 with 1 KiB.
    #[test]
    fn a_wide_spread_does_not_make_a_set_best() {
        let timed = |name: &str, gbps: f64, spread: f64| Row {
            ns_per_op: Some(16384.0 / gbps),
            mad_percent: Some(spread),
            ..row("x", name, 16384, 16384.0 / gbps)
        };
        let named = |name: &str, hart: &str| ConfigurationRecord {
            capset: name.into(),
            hart: hart.into(),
            ..ConfigurationRecord::default()
        };
        let sets = [
            named("scalar", ""),
            named("sha", "sha"),
            named("ssse3_avx_avx2_sha", "ssse3 avx avx2 sha"),
            named("auto", "ssse3 avx avx2 sha aes"),
        ];
        let best_of = |rows: [(&str, f64, f64); 3]| {
            let rows = rows.map(|(name, gbps, spread)| timed(name, gbps, spread));
            best(&rows.iter().collect::<Vec<_>>(), &sets).unwrap().capset.clone()
        };
        let sha = ("sha", 0.6242, 64.9);
        let of_sha256 =
            |spread| best_of([("scalar", 0.1498, 1.0), sha, ("ssse3_avx_avx2_sha", 1.745, spread)]);
        // A wide spread of the fastest set does not make another set best either.
        assert_eq!([2.9, 64.9].map(of_sha256), ["ssse3_avx_avx2_sha"; 2]);
        let chacha20 = |scalar, auto| {
            best_of([("scalar", 0.1554, scalar), ("sha", 0.155, scalar), ("auto", 0.743, auto)])
        };
        assert_eq!([chacha20(90.0, 90.0), chacha20(90.0, 1.0), chacha20(1.0, 90.0)], ["auto"; 3]);
        // The best set is within 5 % of the fastest, and not the fastest itself only if both spread that much.
        let near = |gbps: f64, spread: f64, fastest: f64| {
            best_of([("scalar", 0.1, 0.0), ("sha", gbps, spread), ("auto", 1.0, fastest)])
        };
        assert_eq!([near(0.96, 60.0, 60.0), near(0.96, 3.0, 60.0)], ["sha"; 2]);
        assert_eq!(
            [near(0.94, 60.0, 60.0), near(0.96, 60.0, 0.1), near(0.96, 0.1, 60.0)],
            ["auto"; 3]
        );
    }

    #[test]
    fn an_operation_with_a_wrong_answer_has_no_best_row() {
        let mut rows = vec![row("x", "scalar", 64, 9.0), row("x", "full", 64, 1.0)];
        rows.extend([row("y", "scalar", 64, 9.0), row("y", "full", 64, 1.0)]);
        rows[2].answers = "wrong".into();
        let record = Record { rows, ..Record::default() };
        assert_eq!(best_rows(&record), [1]);
        let all = operations(record.rows.iter());
        assert_eq!(standing(&all[1], &[]).unwrap().capset, "scalar");
    }

    #[test]
    fn a_set_is_looked_up_for_its_core() {
        let set = |core: &str, beyond_core| ConfigurationRecord {
            core: core.into(),
            capset: "zvkg".into(),
            beyond_core,
            ..ConfigurationRecord::default()
        };
        let sets = [set("a", true), set("b", false)];
        let on = |core: &str| Row { core: core.into(), ..row("x", "zvkg", 64, 1.0) };
        assert_eq!(
            (shown(&on("a"), &sets), shown(&on("b"), &sets)),
            ("zvkg *".into(), "zvkg".into())
        );
        assert_eq!(shown(&on("a"), &[set("", true)]), "zvkg *");
    }

    #[test]
    fn groups_keep_their_order() {
        let rows = [row("b", "s", 1, 1.0), row("a", "s", 1, 1.0), row("b", "s", 2, 1.0)];
        let groups = groups(rows.iter(), |r| r.case.clone());
        let sizes: Vec<_> = groups.iter().map(|g| (g[0].case.as_str(), g.len())).collect();
        assert_eq!(sizes, [("b", 2), ("a", 1)]);
    }
}
