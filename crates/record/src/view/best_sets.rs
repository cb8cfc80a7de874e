//! On a core model: one line per case that compares scalar with the best capability set.

use crate::best::{KnownSets, operations, shown, standing};
use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::view::speed_unit::SpeedUnit;
use crate::{Evaluated, Figure, Row};
use capvec_text::digits::{PER_BYTE, RATIO};

/// One line: the two rows that it compares.
struct Line<'a> {
    scalar: Option<&'a Row>,
    best: Figure<'a>,
}

fn lines<'a>(record: &'a Evaluated, sets: &KnownSets) -> Vec<Line<'a>> {
    let shown = record.figures().filter(|r| r.is_shown() && r.bytes > 0);
    let line = |rows: &Vec<Figure<'a>>| {
        let best = standing(rows, sets)?;
        Some(Line { scalar: rows.iter().find(|r| r.capset == "scalar").map(|r| r.row), best })
    };
    operations(shown).iter().filter_map(line).collect()
}

fn arrow(a: Option<f64>, b: Option<f64>) -> String {
    format!("{} → {}", PER_BYTE.show(a), PER_BYTE.show(b))
}

const HEAD: [&str; 9] = [
    "case",
    "algorithm",
    "scalar kB/s",
    "best capability set",
    "best kB/s",
    "speed-up",
    "insns/byte scalar → best",
    "cycles/byte scalar → best",
    "answers",
];

/// The cells of a line.
fn cells(line: &Line, sets: &KnownSets, unit: &SpeedUnit) -> Vec<String> {
    let (s, b) = (line.scalar, line.best);
    vec![
        b.case.clone(),
        b.algorithm.clone(),
        unit.cell(s.and_then(|r| r.kbps())),
        shown(&b, sets),
        unit.cell(b.kbps()),
        RATIO.show(b.derived.speedup),
        arrow(s.and_then(|r| r.insns_per_byte()), b.insns_per_byte()),
        arrow(s.and_then(|r| r.cycles_per_byte()), b.cycles_per_byte()),
        b.answers.clone(),
    ]
}

/// Head, lines and legend, with core, VLEN and size where more than one was measured.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    let sized: Vec<usize> = record.rows.iter().map(|r| r.bytes).filter(|b| *b > 0).collect();
    let sizes = sized.windows(2).any(|w| w[0] != w[1]);
    let axes = CoreColumns::of(record);
    let with = |mut cells: Vec<String>, axes: Vec<String>, bytes: String| {
        cells.splice(1..1, axes.into_iter().chain(sizes.then_some(bytes)));
        cells
    };
    let sets = &KnownSets::of(&record.configurations);
    let lines = lines(record, sets);
    let speeds = lines.iter().flat_map(|l| [l.scalar.and_then(|r| r.kbps()), l.best.kbps()]);
    let unit = SpeedUnit::of(speeds);
    let head = HEAD.iter().map(|s| s.replace("kB/s", unit.name)).collect();
    let body = lines
        .iter()
        .map(|l| with(cells(l, sets, &unit), axes.cells(&l.best), l.best.bytes.to_string()));
    let grid = Grid { body: body.collect(), head: with(head, axes.head(), "bytes".into()) };
    let legend = LEGEND.replace("kB/s (1000 bytes/s)", unit.meaning) + &axes.legend();
    if grid.body.is_empty() {
        return Vec::new();
    }
    vec![Section { title: "Best capability set", grid, legend: legend.into() }]
}

/// What the columns mean.
const LEGEND: &str = "\
best: the smallest measured set within 0.5 % of the fastest; * has extensions that this core's own ISA lacks.
insns/byte: retired instructions, exact.
cycles/byte and kB/s (1000 bytes/s): of the core model, not of silicon.
";
