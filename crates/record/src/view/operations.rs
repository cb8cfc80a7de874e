//! The table of operations without a message length: public-key operations and key set-up.

use crate::best::{KnownSets, operations, shown, standing};
use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{Evaluated, Figure, Row};
use capvec_text::digits::{RATIO, count, rate};

const HEAD: [&str; 9] = [
    "case",
    "operation",
    "scalar ops/s",
    "best capability set",
    "best ops/s",
    "speed-up",
    "insns/op scalar → best",
    "cycles/op scalar → best",
    "answers",
];

/// What the columns mean.
const LEGEND: &str = "\
best: the smallest measured set within 0.5 % of the fastest; * has extensions that this core's own ISA lacks.
ops/s and cycles/op: of the core model, not of silicon. insns/op: retired instructions, here rounded (k, M, G: thousands,
millions, billions); where they depend on random numbers or the message, the mean of what was measured.
";

/// The table, if the record has any of it.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    let section = |grid| Section {
        title: "Operations without a message length",
        grid,
        legend: LEGEND.into(),
    };
    grid(record).map(section).into_iter().collect()
}

/// The table, if the record has such operations.
fn grid(record: &Evaluated) -> Option<Grid> {
    let sets = &KnownSets::of(&record.configurations);
    let axes = CoreColumns::of(record);
    let rows = record.figures().filter(|r| r.bytes == 0);
    let body: Vec<Vec<String>> = operations(rows)
        .into_iter()
        .filter_map(|rows| {
            let best = standing(&rows, sets)?;
            let scalar = rows.iter().find(|r| r.capset == "scalar").map(|r| r.row);
            Some(with(cells(scalar, best, sets), axes.cells(&best)))
        })
        .collect();
    let head = with(HEAD.map(String::from).to_vec(), axes.head());
    if body.is_empty() { None } else { Some(Grid { head, body }) }
}

fn with(mut cells: Vec<String>, axes: Vec<String>) -> Vec<String> {
    cells.splice(1..1, axes);
    cells
}

fn cells(scalar: Option<&Row>, best: Figure, sets: &KnownSets) -> Vec<String> {
    let ops = |r: Option<&Row>| rate(r.and_then(|r| r.ops_per_s));
    let arrow = |of: fn(&Row) -> Option<f64>| {
        format!("{} → {}", count(scalar.and_then(of)), count(of(&best)))
    };
    vec![
        best.case.clone(),
        best.direction.clone(),
        ops(scalar),
        shown(&best, sets),
        ops(Some(best.row)),
        RATIO.show(best.derived.speedup),
        arrow(|r| r.insns_per_op),
        arrow(|r| r.cycles_per_op),
        best.answers.clone(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{row, set};
    use crate::{ConfigurationRecord, Derived};

    #[test]
    fn a_best_set_that_the_core_lacks_is_marked() {
        let sets = [set("v"), ConfigurationRecord { beyond_core: true, ..set("zbb") }];
        let mut best = row("x", "zbb", 64, 1.0);
        let shown = |row: &Row| {
            let derived = Derived::default();
            cells(None, Figure { row, derived: &derived }, &KnownSets::of(&sets))[3].clone()
        };
        assert_eq!(shown(&best), "zbb *");
        best.capset = "v".into();
        assert_eq!(shown(&best), "v");
    }
}
