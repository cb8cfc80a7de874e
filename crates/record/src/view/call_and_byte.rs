//! The cost of a call and of a byte as a table: [`crate::compute::least_squares`] computes it.

use crate::best::{KnownSets, best, groups};
use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{Evaluated, Fit, Line, Row};
use capvec_text::digits::{MISFIT, SLOPE, WHOLE};
use std::collections::HashMap;

const HEAD: [&str; 9] = [
    "case",
    "capability set",
    "insns/call",
    "insns/byte",
    "misfit %",
    "cycles/call",
    "cycles/byte",
    "misfit %",
    "half-speed bytes",
];

/// What the columns mean.
const LEGEND: &str = "\
A message of n bytes takes call + byte · n: a line through the sizes from 256 bytes on (all, if fewer than three are that long),
by least squares of relative misfits. misfit: the largest. half-speed: the size at which the call itself takes half of the cycles.
";

/// The table, if the record has any of it.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    let section = |grid| Section { title: "Call and byte", grid, legend: LEGEND.into() };
    grid(record).map(section).into_iter().collect()
}

/// The table: for each case, scalar and the set that is best at the largest size. `None` without fits.
fn grid(record: &Evaluated) -> Option<Grid> {
    let (fits, sets) = (&record.fits, &KnownSets::of(&record.configurations));
    if fits.is_empty() {
        return None;
    }
    let axes = CoreColumns::of(record);
    let mut head: Vec<String> = HEAD.iter().map(|s| s.to_string()).collect();
    head.splice(1..1, axes.head());
    let mut body = Vec::new();
    let mut places: HashMap<(&str, u32, &str, &str), &Fit> = HashMap::new();
    for f in fits.iter().filter(|f| f.direction == "enc") {
        places.entry((&f.core, f.vlen, &f.case, &f.capset)).or_insert(f);
    }
    let shown = record.rows.iter().filter(|r| r.direction == "enc");
    for group in groups(shown, |r| (r.core.clone(), r.vlen, r.case.clone())) {
        let largest = group.iter().map(|r| r.bytes).max();
        let at: Vec<&Row> = group.iter().copied().filter(|r| Some(r.bytes) == largest).collect();
        let best = best(&at, sets).map(|r| r.capset.as_str());
        let wanted = ["scalar"].into_iter().chain(best.filter(|b| *b != "scalar"));
        for capset in wanted {
            let fit = group
                .first()
                .and_then(|r| places.get(&(r.core.as_str(), r.vlen, r.case.as_str(), capset)));
            if let Some(fit) = fit {
                let mut cells = cells(fit);
                cells.splice(1..1, axes.cells(group[0]));
                body.push(cells);
            }
        }
    }
    Some(Grid { head, body })
}

fn cells(f: &Fit) -> Vec<String> {
    let line =
        |l: &Line| [WHOLE.text(l.per_call), SLOPE.text(l.per_byte), MISFIT.text(l.misfit * 100.0)];
    let mut cells = vec![f.case.clone(), f.capset.clone()];
    cells.extend([line(&f.insns), line(&f.cycles)].concat());
    cells.push(WHOLE.show(f.half_speed_bytes));
    cells
}
