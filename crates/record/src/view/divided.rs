//! Tables that divide operations into shares: by class of instruction, by function.

use crate::best::{KnownSets, best, groups, shown};
use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{Record, Row};
use capvec_text::digits::{DIVIDED, PERCENT};

/// Number of shares that a line names; the others are added up.
const NAMED: usize = 6;

/// What is divided, and how.
pub(super) struct Division {
    /// Heading.
    pub title: &'static str,
    /// Names of the last two columns.
    pub columns: [&'static str; 2],
    /// Legend.
    pub legend: &'static str,
    /// What is divided.
    pub whole: fn(&Row) -> Option<f64>,
    /// Its parts; empty if they were not measured.
    pub parts: fn(&Row) -> Vec<(&str, f64)>,
}

/// Shares of the whole, largest first.
fn shares(mut parts: Vec<(&str, f64)>) -> String {
    let total: f64 = parts.iter().map(|(_, n)| n).sum();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = |n: f64| format!("{} %", PERCENT.text(100.0 * n / total));
    let mut named: Vec<String> =
        parts.iter().take(NAMED).map(|(name, n)| format!("{name} {}", share(*n))).collect();
    let rest: f64 = parts.iter().skip(NAMED).map(|(_, n)| n).sum();
    named.extend((parts.len() > NAMED).then(|| format!("other {}", share(rest))));
    named.join(", ")
}

/// The table of scalar and the best set of each operation, if any row was divided.
pub(super) fn sections(record: &Record, division: &Division) -> Vec<Section> {
    section(record, division).into_iter().collect()
}

fn section(record: &Record, division: &Division) -> Option<Section> {
    let largest = record.rows.iter().map(|r| r.bytes).max()?;
    let wanted = |r: &&Row| {
        !(division.parts)(r).is_empty()
            && (r.bytes == 0 || r.bytes == largest && r.direction == "enc")
    };
    let axes = CoreColumns::of(record).without_vlen();
    let key = |r: &&Row| (r.core.clone(), r.vlen, r.case.clone(), r.direction.clone());
    let sets = KnownSets::of(&record.configurations);
    let mut body = Vec::new();
    for rows in groups(record.rows.iter().filter(wanted), key) {
        let scalar = rows.iter().copied().find(|r| r.capset == "scalar");
        let best = best(&rows, &sets);
        let best = best.filter(|b| scalar.is_none_or(|s| s.capset != b.capset));
        body.extend([scalar, best].into_iter().flatten().map(|r| {
            let mut cells = vec![
                r.case.clone(),
                r.direction.clone(),
                r.vlen.to_string(),
                shown(r, &sets),
                DIVIDED.show((division.whole)(r)),
                shares((division.parts)(r)),
            ];
            cells.splice(1..1, axes.cells(r));
            cells
        }));
    }
    let [whole, parts] = division.columns;
    let head = ["case", "operation", "VLEN", "capability set", whole, parts];
    let mut head = head.map(String::from).to_vec();
    head.splice(1..1, axes.head());
    let (grid, title, legend) = (Grid { head, body }, division.title, division.legend);
    (!grid.body.is_empty()).then(|| Section { title, grid, legend: legend.into() })
}
