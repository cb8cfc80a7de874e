//! The table for targets other than the simulator: exact counts under an emulator, times on a machine.

use crate::best::{KnownSets, SAME_TIME, operations, several, spread, standing};
use crate::grid::{Grid, Section};
use crate::view::builds;
use crate::view::speed_unit::SpeedUnit;
use crate::{Evaluated, Figure, Kind, Record, Row};
use capvec_text::digits::{MEASURED, PERCENT, RATIO};

/// What a table shows of a row.
struct Column {
    head: &'static str,
    of: fn(&Row) -> Option<f64>,
    unit: Option<SpeedUnit>,
}

impl Column {
    fn cell(&self, row: Option<&Row>) -> String {
        let value = row.and_then(self.of);
        self.unit.map_or_else(|| MEASURED.show(value), |unit| unit.cell(value))
    }
}

/// The compared quantity: speed in bytes, or instructions.
fn columns(record: &Record, bytes: bool) -> Column {
    let plain = |head, of| Column { head, of, unit: None };
    match (record.target.kind, bytes) {
        (Kind::Emulated, true) => plain("insns/byte", |r| r.insns_per_byte()),
        (Kind::Emulated, false) => plain("insns/op", |r| r.insns_per_op),
        (_, true) => {
            let unit = SpeedUnit::of(record.rows.iter().filter(|r| r.is_shown()).map(|r| r.kbps()));
            Column { head: unit.name, of: |r| r.kbps(), unit: Some(unit) }
        }
        (_, false) => plain("ops/s", |r| r.ops_per_s),
    }
}

fn line(rows: &[Figure], sets: &KnownSets, column: &Column, kind: Kind) -> Option<Vec<String>> {
    let shown = standing(rows, sets)?;
    let scalar = rows.iter().find(|r| r.capset == "scalar").map(|r| r.row);
    let mut cells = vec![
        shown.case.clone(),
        shown.algorithm.clone(),
        shown.direction.clone(),
        shown.bytes.to_string(),
        column.cell(scalar),
        shown.capset.clone(),
        column.cell(Some(shown.row)),
        RATIO.show(shown.derived.over_scalar()),
    ];
    if kind == Kind::Real {
        // Of rows whose times vary that much, any may be the fastest.
        let uncertain = rows.iter().any(|r| spread(r) > SAME_TIME);
        if let Some(speed_up) = cells.last_mut().filter(|c| uncertain && *c != "–") {
            speed_up.push_str(" ?");
        }
        let percent = |r: Option<&Row>| PERCENT.show(r.and_then(|r| r.mad_percent));
        cells.push(format!("{} → {}", percent(scalar), percent(Some(shown.row))));
    }
    cells.push(shown.answers.clone());
    Some(cells)
}

fn grid(record: &Evaluated, bytes: bool) -> Option<Grid> {
    let kind = record.target.kind;
    let column = columns(record, bytes);
    let subjects = several(&record.rows, |r| r.subject.clone());
    let vlens = several(&record.rows, |r| r.vlen);
    let shown = record.figures().filter(|r| (r.bytes > 0) == bytes && r.is_shown());
    let sets = KnownSets::of(&record.configurations);
    let body: Vec<Vec<String>> = operations(shown)
        .into_iter()
        .filter_map(|rows| {
            let mut cells = line(&rows, &sets, &column, kind)?;
            if vlens {
                cells.insert(4, rows.first()?.vlen.to_string());
            }
            if !bytes {
                cells.remove(3);
            }
            if subjects {
                cells.insert(0, rows.first()?.subject.clone());
            }
            Some(cells)
        })
        .collect();
    let mut head: Vec<String> =
        ["case", "algorithm", "operation", "bytes"].map(String::from).to_vec();
    head.extend(vlens.then(|| "VLEN".to_string()));
    head.push(format!("scalar {}", column.head));
    head.push("best capability set".into());
    head.push(format!("best {}", column.head));
    head.push(if kind == Kind::Emulated { "insns ratio".into() } else { "speed-up".into() });
    head.extend((kind == Kind::Real).then(|| "spread % scalar → best".into()));
    head.push("answers".into());
    if !bytes {
        head.remove(3);
    }
    if subjects {
        head.insert(0, "subject".into());
    }
    (!body.is_empty()).then_some(Grid { head, body })
}

/// What the columns mean.
const EMULATED: &str = "\
insns: retired instructions, exact, from the emulator's log; insns ratio: those of scalar over those of best. Emulated: counts do not say
how long a processor would take, and time under emulation means little, so none is given.
best: the smallest measured set within 0.5 % of the fewest.
";
const REAL: &str = "\
kB/s (1000 bytes/s), ops/s: of the median time on the target's clock. spread: median absolute deviation from it.
best: the smallest measured set within 0.5 % of the fastest; within up to 5 % where the times of both vary by as much.
";
const DOUBT: &str = "\
?: the measured times of at least one set vary by more than 5 %, so which set is best, and its speed-up, is uncertain: measure again.
";

/// The tables of a record.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    // A comparison of builds without capability sets shows all rows already.
    let messages = !builds::compares(record) || several(&record.rows, |r| r.capset.clone());
    let legend = if record.target.kind == Kind::Emulated { EMULATED } else { REAL };
    let unit = columns(record, true).unit.map_or("", |u| u.meaning);
    let with = |bytes, title| {
        let grid = grid(record, bytes)?;
        let legend = match bytes {
            true => legend.replace("kB/s (1000 bytes/s)", unit),
            false => legend.replace("kB/s (1000 bytes/s), ", ""),
        };
        let doubtful = grid.body.iter().flatten().any(|cell| cell.ends_with(" ?"));
        let legend = legend + if doubtful { DOUBT } else { "" };
        Some(Section { title, grid, legend: legend.into() })
    };
    let first = if messages { with(true, "Best capability set") } else { None };
    [first, with(false, "Operations without a message length")].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let row = |set: &str, vlen: u32, ns: f64, spread: f64| Row {
            vlen,
            ns_per_op: Some(ns),
            mad_percent: Some(spread),
            ..crate::testing::row("sha256", set, 64, ns)
        };
        let mut record = Record::default();
        record.target.kind = Kind::Real;
        record.rows = vec![row("scalar", 0, 100.0, 41.25), row("auto", 0, 10.0, 0.5)];
        record
    }

    #[test]
    fn the_spread_of_both_figures_stands_next_to_them() {
        let grid = &sections(&record().evaluate().unwrap())[0].grid;
        let place = grid.head.iter().position(|h| h == "spread % scalar → best").unwrap();
        assert_eq!(grid.body[0][place], "41.2 → 0.5");
        assert_eq!(grid.body[0][place - 1], "10.00 ?");
        assert!(!grid.head.contains(&"VLEN".to_string()));
    }

    /// QEMU's VLEN can be chosen: lines that differ only in VLEN name it.
    #[test]
    fn lines_of_several_vlens_can_be_told_apart() {
        let mut record = record();
        record.target.kind = Kind::Emulated;
        record.rows.iter_mut().for_each(|r| r.vlen = 128);
        let wide = Row { vlen: 256, ..record.rows[0].clone() };
        record.rows.push(wide);
        let grid = &sections(&record.evaluate().unwrap())[0].grid;
        assert_eq!(grid.head[3..6], ["bytes", "VLEN", "scalar insns/byte"]);
        assert_eq!([&grid.body[0][4], &grid.body[1][4]], ["128", "256"]);
        assert!(grid.body.iter().all(|l| l.len() == grid.head.len()));
    }
}
