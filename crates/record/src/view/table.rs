//! The table for people: one line a case, scalar against the best capability set.

use crate::view::axes::Axes;
use crate::view::best::{best, groups, several, shown};
use crate::view::grid::{Grid, Section, fixed};
use crate::view::unit::Unit;
use crate::view::{
    builds, explain, fit, libraries, measured, mix, operations, peers, predictions, speed,
};
use crate::{ConfigurationRecord, Kind, Record, Row, plain};
use anyhow::Result;

/// One line: the two rows that it compares.
struct Line<'a> {
    scalar: Option<&'a Row>,
    best: &'a Row,
}

fn lines(record: &Record) -> Vec<Line<'_>> {
    let shown = record.rows.iter().filter(|r| r.is_shown() && r.bytes > 0);
    groups(shown, |r| (r.core.clone(), r.vlen, r.case.clone(), r.bytes))
        .into_iter()
        .filter_map(|rows| {
            let failed = rows.iter().copied().find(|r| !r.passed());
            let best = match failed {
                Some(r) => r,
                None => best(&rows, &record.configurations)?,
            };
            Some(Line { scalar: rows.iter().copied().find(|r| r.capset == "scalar"), best })
        })
        .collect()
}

/// At least three significant digits.
fn short(v: Option<f64>) -> String {
    fixed(
        v,
        v.map_or(0, |v| {
            if v < 1.0 {
                3
            } else if v < 100.0 {
                2
            } else {
                1
            }
        }),
    )
}

fn arrow(a: Option<f64>, b: Option<f64>) -> String {
    format!("{} → {}", short(a), short(b))
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
fn cells(line: &Line, sets: &[ConfigurationRecord], unit: &Unit) -> Vec<String> {
    let (s, b) = (line.scalar, line.best);
    vec![
        b.case.clone(),
        b.algorithm.clone(),
        unit.cell(s.and_then(|r| r.kbps)),
        shown(b, sets),
        unit.cell(b.kbps),
        fixed(b.speedup, 2),
        arrow(s.and_then(|r| r.insns_per_byte), b.insns_per_byte),
        arrow(s.and_then(|r| r.cycles_per_byte), b.cycles_per_byte),
        b.answers.clone(),
    ]
}

/// Head and lines, with core, VLEN and size where more than one was measured, and what they mean.
fn main(record: &Record) -> Section {
    let sized: Vec<usize> = record.rows.iter().map(|r| r.bytes).filter(|b| *b > 0).collect();
    let sizes = sized.windows(2).any(|w| w[0] != w[1]);
    let axes = Axes::of(record);
    let with = |mut cells: Vec<String>, axes: Vec<String>, bytes: String| {
        cells.splice(1..1, axes.into_iter().chain(sizes.then_some(bytes)));
        cells
    };
    let sets = &record.configurations;
    let lines = lines(record);
    let speeds = lines.iter().flat_map(|l| [l.scalar.and_then(|r| r.kbps), l.best.kbps]);
    let unit = Unit::of(speeds);
    let head = HEAD.iter().map(|s| s.replace("kB/s", unit.name)).collect();
    let body = lines
        .iter()
        .map(|l| with(cells(l, sets, &unit), axes.cells(l.best), l.best.bytes.to_string()));
    let grid = Grid { body: body.collect(), head: with(head, axes.head(), "bytes".into()) };
    let legend = LEGEND.replace("kB/s (1000 bytes/s)", unit.meaning) + &axes.legend();
    Section { title: "Best capability set", grid, legend: legend.into() }
}

/// Every table of a record.
///
/// # Errors
/// The published figures cannot be read.
pub fn sections(record: &Record) -> Result<Vec<Section>> {
    if record.target.kind != Kind::Modelled {
        let mut sections = builds::sections(record)?;
        // Of builds without sets the comparison says all of their rows.
        let said = !sections.is_empty() && !several(&record.rows, |r| r.capset.clone());
        sections.extend(measured::sections(record, !said));
        return Ok(sections);
    }
    // The other tables are of one library.
    if several(&record.rows, |r| r.subject.clone()) {
        return Ok([libraries::section(record)]
            .into_iter()
            .chain(peers::section(record))
            .collect());
    }
    let mut sections = vec![main(record)];
    sections.retain(|s| !s.grid.body.is_empty());
    sections.extend(peers::section(record));
    let mut add = |title, grid: Option<Grid>, legend: &'static str| {
        sections.extend(grid.map(|grid| Section { title, grid, legend: legend.into() }));
    };
    let operations = operations::grid(record);
    add("Operations without a message length", operations, operations::LEGEND);
    add("Call and byte", fit::grid(record), fit::LEGEND);
    sections.extend(explain::sections(record));
    let published = predictions::grid(record)?.map(|grid| Section {
        title: "Predicted and published",
        grid,
        legend: predictions::LEGEND.into(),
    });
    sections.extend(published);
    sections.extend(speed::grid(record).map(|grid| Section {
        title: "The stock program openssl speed",
        grid,
        legend: speed::LEGEND.into(),
    }));
    sections.extend(mix::section(record));
    Ok(sections)
}

/// As text; `width` folds columns to a terminal.
pub fn text(record: &Record, width: Option<u16>) -> Result<String> {
    let mut parts = Vec::new();
    for s in sections(record)? {
        parts.push(s.grid.text(width));
        parts.extend((!s.legend.is_empty()).then(|| s.legend.to_string()));
    }
    Ok(parts.join("\n"))
}

/// More warnings than this are counted, not listed.
pub const MOST_WARNINGS: usize = 20;

/// As Markdown tables with headings, each with what its columns mean: before them what a reader must know, and behind
/// them where the figures were taken.
pub fn markdown(record: &Record) -> Result<String> {
    let mut parts = Vec::new();
    let warnings = record.warnings();
    let list = |all: &[String]| -> String {
        all.iter().map(|w| format!("- {}\n", plain::line(w))).collect()
    };
    if !warnings.is_empty() {
        let listed = list(&warnings[..warnings.len().min(MOST_WARNINGS)]);
        let more = match warnings.len().saturating_sub(MOST_WARNINGS) {
            0 => String::new(),
            n => format!("- and {n} more\n"),
        };
        parts.push(format!("### Before you read the figures\n\n{listed}{more}"));
    }
    for s in sections(record)? {
        parts.push(format!("### {}\n", s.title));
        parts.push(s.grid.markdown());
        parts.extend((!s.legend.is_empty()).then(|| s.legend.replace('*', "\\*")));
    }
    // In the simulator it is the sysroot's, whose packages the record has.
    if record.target.kind != Kind::Modelled {
        let facts = std::iter::once(("Target", record.target.name.clone()));
        let facts = facts.chain(record.provenance());
        let facts: Vec<String> = facts.map(|(name, value)| format!("{name}: {value}")).collect();
        parts.push(format!("### Where the figures were taken\n\n{}", list(&facts)));
    }
    Ok(parts.join("\n"))
}

/// What the columns mean.
const LEGEND: &str = "\
best: the smallest measured set within 0.5 % of the fastest; * has extensions that this core's own ISA lacks.
insns/byte: retired instructions, exact.
cycles/byte and kB/s (1000 bytes/s): of the core model, not of silicon.
";

#[cfg(test)]
mod tests {
    use super::*;

    /// A stranger's record may have a library and a case of its own in each row: its tables grow as it does.
    #[test]
    fn tables_grow_as_their_record_does() {
        let cells = |count: usize, kind: Kind| {
            let row = |i: usize| Row {
                subject: format!("s{i}"),
                kernel_needs: "v".into(),
                kind,
                ..crate::testing::row(&format!("c{i}"), "auto", 16 + i, 100.0)
            };
            let mut record = Record { rows: (0..count).map(row).collect(), ..Record::default() };
            record.target.kind = kind;
            let sections = sections(&record).unwrap();
            let said = |s: &Section| s.legend.contains(&format!("Of {count} "));
            assert_eq!(sections.iter().any(said), count > crate::view::best::MOST_COLUMNS);
            sections.iter().flat_map(|s| &s.grid.body).map(Vec::len).sum::<usize>()
        };
        for kind in [Kind::Modelled, Kind::Emulated, Kind::Real] {
            assert!(cells(4, kind) > 0);
            let (few, many) = (cells(500, kind), cells(2000, kind));
            assert!(many <= 4 * few, "{kind:?}: {few} cells, then {many}");
            assert!(many < 200 * 2000, "{kind:?}: {many}");
        }
    }
}
