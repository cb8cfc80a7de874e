//! Which instructions the operations of a record execute, by class.

use crate::view::best::{best, groups, shown};
use crate::view::core_columns::CoreColumns;
use crate::view::digits::{PERCENT, fixed};
use crate::view::grid::{Grid, Section};
use crate::{Record, Row};

/// Number of classes that a line names; the others are added up.
const NAMED: usize = 6;

const LEGEND: &str = "\
instructions: of an operation, by latency class (`capvec isa MNEMONIC` shows the class), exact, without the loop around it.
Shown are scalar and the best set at the largest size; record.json has all.
";

/// Shares of an operation's instructions, largest first.
fn shares(row: &Row) -> String {
    let total: f64 = row.mix.values().sum();
    let mut classes: Vec<(&String, f64)> = row.mix.iter().map(|(c, n)| (c, *n)).collect();
    classes.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = |n: f64| format!("{} %", PERCENT.text(100.0 * n / total));
    let mut parts: Vec<String> =
        classes.iter().take(NAMED).map(|(c, n)| format!("{c} {}", share(*n))).collect();
    let rest: f64 = classes.iter().skip(NAMED).map(|(_, n)| n).sum();
    parts.extend((classes.len() > NAMED).then(|| format!("other {}", share(rest))));
    parts.join(", ")
}

/// The table, if any row has a mix.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    section(record).into_iter().collect()
}

fn section(record: &Record) -> Option<Section> {
    let largest = record.rows.iter().map(|r| r.bytes).max()?;
    let wanted = |r: &&Row| {
        !r.mix.is_empty() && (r.bytes == 0 || r.bytes == largest && r.direction == "enc")
    };
    let axes = CoreColumns::of(record).without_vlen();
    let key = |r: &Row| (r.core.clone(), r.vlen, r.case.clone(), r.direction.clone());
    let mut body = Vec::new();
    for rows in groups(record.rows.iter().filter(wanted), key) {
        let scalar = rows.iter().copied().find(|r| r.capset == "scalar");
        let best = best(&rows, &record.configurations);
        let best = best.filter(|b| scalar.is_none_or(|s| s.capset != b.capset));
        body.extend([scalar, best].into_iter().flatten().map(|r| {
            let mut cells = vec![
                r.case.clone(),
                r.direction.clone(),
                r.vlen.to_string(),
                shown(r, &record.configurations),
                fixed(r.insns_per_op, 1),
                shares(r),
            ];
            cells.splice(1..1, axes.cells(r));
            cells
        }));
    }
    let head = ["case", "operation", "VLEN", "capability set", "insns/op", "instructions"];
    let mut head = head.map(String::from).to_vec();
    head.splice(1..1, axes.head());
    let grid = Grid { head, body };
    let title = "Instruction mix";
    (!grid.body.is_empty()).then(|| Section { title, grid, legend: LEGEND.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_classes_are_named_and_all_add_up() {
        let with = |set: &str, mix: &[(&str, f64)]| {
            let insns = mix.iter().map(|(_, n)| n).sum();
            let mix = mix.iter().map(|(c, n)| (c.to_string(), *n)).collect();
            Row { mix, ..crate::testing::row("x", set, 64, insns) }
        };
        let many =
            [("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", 4.0), ("e", 5.0), ("f", 6.0), ("g", 79.0)];
        let rows = vec![with("scalar", &many), with("full", &[("vaes", 9.0), ("alu", 1.0)])];
        let record = Record { rows, ..Record::default() };
        let body = section(&record).unwrap().grid.body;
        assert_eq!(
            body[0][5],
            "g 79.0 %, f 6.0 %, e 5.0 %, d 4.0 %, c 3.0 %, b 2.0 %, other 1.0 %"
        );
        assert_eq!(body[1][3..], ["full", "10.0", "vaes 90.0 %, alu 10.0 %"]);
        assert!(section(&Record::default()).is_none());
    }
}
