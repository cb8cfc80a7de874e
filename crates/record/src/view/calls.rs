//! The table of the user's own code: `capvec measure`.

use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{Evaluated, Figure, Record};
use capvec_text::digits::{COMPARED, PER_BYTE};

/// The direction of rows of the user's own code.
pub const CALL: &str = "call";

/// What the columns mean.
const LEGEND: &str = "\
insns: retired instructions, exact. cycles: of the core model, not of silicon. Both with warm caches.
answers: pass if the known answers are right; none if there is none for the row.
";

/// Whether a record is of the user's own code.
pub(super) fn is_own(record: &Record) -> bool {
    !record.rows.is_empty() && record.rows.iter().all(|row| row.direction == CALL)
}

/// The table.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    let axes = CoreColumns::of(record);
    let mut head = vec!["case".to_string()];
    head.extend(axes.head());
    let rest = [
        "capability set",
        "bytes",
        "insns/call",
        "cycles/call",
        "insns/byte",
        "cycles/byte",
        "answers",
    ];
    head.extend(rest.map(String::from));
    let line = |row: Figure<'_>| {
        let mut cells = vec![row.case.clone()];
        cells.extend(axes.cells(&row));
        cells.extend([
            row.capset.clone(),
            row.bytes.to_string(),
            COMPARED.show(row.insns_per_op),
            COMPARED.show(row.cycles_per_op),
            PER_BYTE.show(row.insns_per_byte()),
            PER_BYTE.show(row.cycles_per_byte()),
            row.answers.clone(),
        ]);
        cells
    };
    let grid = Grid { head, body: record.figures().map(line).collect() };
    vec![Section { title: "Your own code", grid, legend: LEGEND.into() }]
}
