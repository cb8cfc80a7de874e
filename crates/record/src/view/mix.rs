//! Which instructions the operations of a record execute, by class.

use crate::Record;
use crate::grid::Section;
use crate::view::divided::{self, Division};

const LEGEND: &str = "\
instructions: of an operation, by latency class (`capvec isa MNEMONIC` shows the class), exact, without the loop around it.
Shown are scalar and the best set at the largest size; record.json has all.
";

/// The table, if any row has a mix.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let division = Division {
        title: "Instruction mix",
        columns: ["insns/op", "instructions"],
        legend: LEGEND,
        whole: |r| r.insns_per_op,
        parts: |r| r.mix.iter().map(|(class, n)| (class.as_str(), *n)).collect(),
    };
    divided::sections(record, &division)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

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
        let body = &sections(&record)[0].grid.body;
        assert_eq!(
            body[0][5],
            "g 79.0 %, f 6.0 %, e 5.0 %, d 4.0 %, c 3.0 %, b 2.0 %, other 1.0 %"
        );
        assert_eq!(body[1][3..], ["full", "10.0", "vaes 90.0 %, alu 10.0 %"]);
        assert!(sections(&Record::default()).is_empty());
    }
}
