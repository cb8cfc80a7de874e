//! The parts of operations, such as transform and hash, in percent of their cycles.

use crate::best::MOST_COLUMNS;
use crate::grid::{Grid, Section};
use crate::parts::{Part, order, parts};
use crate::view::core_columns::CoreColumns;
use crate::{Record, Row};
use capvec_text::digits::{PERCENT, count};

const LEGEND: &str = "\
Shares of an operation's cycles in percent, by what its functions do, with warm caches. NTT: number-theoretic transform. rest: setting
up, copying, and what fits no column. without names: in a library without a symbol table.
";

/// The table, if the cycles of any such operation were divided.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let rows: Vec<(&Row, Vec<Part>)> = record.rows.iter().map(|r| (r, parts(r))).collect();
    let has = |name: &str| rows.iter().any(|(_, parts)| parts.iter().any(|p| p.name == name));
    let mut names: Vec<&str> = Vec::new();
    // Some parts have rules for several kinds of cases.
    order().filter(|n| has(n)).for_each(|n| {
        if !names.contains(&n) {
            names.push(n)
        }
    });
    names.truncate(MOST_COLUMNS);
    if names.is_empty() {
        return Vec::new();
    }
    let axes = CoreColumns::of(record);
    let mut head = ["subject", "case", "operation"].map(String::from).to_vec();
    head.extend(axes.head());
    head.extend(["capability set", "cycles/op"].map(String::from));
    head.extend(names.iter().map(|n| n.to_string()));
    let line = |(row, parts): &(&Row, Vec<Part>)| {
        let all: f64 = parts.iter().map(|p| p.cycles).sum();
        let mut cells = [&row.subject, &row.case, &row.direction].map(Clone::clone).to_vec();
        cells.extend(axes.cells(row));
        cells.extend([row.capset.clone(), count(row.cycles_per_op)]);
        cells.extend(names.iter().map(|n| {
            let own = parts.iter().find(|p| p.name == *n);
            PERCENT.show(own.map(|p| 100.0 * p.cycles / all))
        }));
        cells
    };
    let body = rows.iter().filter(|(_, parts)| !parts.is_empty()).map(line).collect();
    let legend = format!("{LEGEND}{}", axes.legend()).into();
    vec![Section { title: "What the cycles are spent on", grid: Grid { head, body }, legend }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FunctionShare;

    #[test]
    fn each_part_has_a_column() {
        let share = |name: &str, cycles| FunctionShare { name: name.into(), insns: 1.0, cycles };
        let functions =
            vec![share("KeccakF1600", 60.0), share("scalar_ntt", 30.0), share("f", 10.0)];
        let row = Row {
            functions,
            direction: "keygen".into(),
            ..crate::testing::row("ml-kem-512", "zbb", 64, 100.0)
        };
        let plain = crate::testing::row("sha256", "zbb", 64, 100.0);
        let grid = &sections(&Record { rows: vec![row, plain], ..Record::default() })[0].grid;
        let expected = ["openssl", "ml-kem-512", "keygen", "zbb", "100", "60.0", "30.0", "10.0"];
        assert_eq!(grid.body, [expected]);
        assert_eq!(grid.head[5..], ["Keccak", "NTT", "rest"]);
        assert!(sections(&Record::default()).is_empty());
    }
}
