//! In which functions the operations of a record spend their cycles.

use crate::Record;
use crate::grid::Section;
use crate::view::divided::{self, Division};

const LEGEND: &str = "\
functions: the share of an operation's cycles, with warm caches, that each function itself takes, without those that it calls. In
connections of TLS, functions of the library's interface count with all that they call.
Shown are scalar and the best set at the largest size; record.json has all.
";

/// The table, if the cycles of any row were divided.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let division = Division {
        title: "Where the cycles go",
        columns: ["cycles/op", "functions"],
        legend: LEGEND,
        whole: |r| r.cycles_per_op,
        parts: |r| r.functions.iter().map(|f| (f.name.as_str(), f.cycles)).collect(),
    };
    divided::sections(record, &division)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FunctionShare, Row};

    #[test]
    fn the_largest_functions_are_named() {
        let share =
            |n: u32| FunctionShare { name: format!("f{n}"), insns: 1.0, cycles: f64::from(10 * n) };
        let row = Row {
            functions: (1..=8).map(share).collect(),
            ..crate::testing::row("x", "scalar", 64, 360.0)
        };
        let plain = crate::testing::row("y", "scalar", 64, 360.0);
        let record = Record { rows: vec![row, plain], ..Record::default() };
        let grid = &sections(&record)[0].grid;
        assert_eq!(grid.body.len(), 1);
        let shares = grid.body[0].last().expect("the last cell");
        assert!(
            shares.starts_with("f8 22.2 %, f7 19.4 %") && shares.ends_with(", other 8.3 %"),
            "{shares}"
        );
    }
}
