//! Libraries next to each other on a core model: each with its best capability set.

use crate::best::{KnownSets, best, columns, groups, several, shown};
use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{NotOffered, Record, Row};
use capvec_text::digits::{LIBRARIES, RATIO};

const LEGEND: &str = "\
Libraries next to each other, each with the smallest of the measured capability sets within 0.5 % of its fastest; * has extensions that this
core's own ISA lacks. insns/byte: retired instructions, exact, with what a call costs. cycles/byte: of the core model.
fewer insns, faster: how many times the last library does better than the first, in instructions and in cycles.
";

fn ratio(first: Option<f64>, last: Option<f64>) -> String {
    let ratio = first.zip(last).filter(|(_, last)| *last > 0.0).map(|(first, last)| first / last);
    RATIO.show(ratio)
}

/// The table of a record with several libraries.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let (subjects, others) = columns(record.rows.iter().map(|r| r.subject.as_str()), "libraries");
    let axes = CoreColumns::of(record).without_vlen();
    let mut head: Vec<String> = ["case", "VLEN", "bytes"].map(String::from).to_vec();
    for subject in &subjects {
        head.extend(["set", "insns/byte", "cycles/byte"].map(|what| format!("{subject}: {what}")));
    }
    head.extend(["fewer insns", "faster", "answers"].map(String::from));
    let shown = record.rows.iter().filter(|r| r.is_shown() && r.bytes > 0);
    let shown = shown.filter(|r| subjects.contains(&r.subject.as_str()));
    let lines = groups(shown, |r| (r.core.clone(), r.vlen, r.case.clone(), r.bytes));
    let sets = KnownSets::of(&record.configurations);
    let body = lines.iter().filter_map(|rows| line(rows, &subjects, record, &sets)).collect();
    let mut grid = Grid { head, body };
    // Operations without a message have a table of their own.
    if grid.body.is_empty() {
        return Vec::new();
    }
    if !several(&record.rows, |r| r.bytes) {
        grid.remove(2);
    }
    if !several(&record.rows, |r| r.vlen) {
        grid.remove(1);
    }
    grid.head.splice(1..1, axes.head());
    for (cells, rows) in grid.body.iter_mut().zip(&lines) {
        cells.splice(1..1, rows.first().map_or(Vec::new(), |r| axes.cells(r)));
    }
    let legend = format!("{LEGEND}{others}{}", axes.legend());
    vec![Section { title: "Libraries next to each other", grid, legend: legend.into() }]
}

fn line(
    rows: &[&Row],
    subjects: &[&str],
    record: &Record,
    sets: &KnownSets,
) -> Option<Vec<String>> {
    let any = rows.first()?;
    let of = |subject: &&str| {
        let own: Vec<&Row> =
            rows.iter().copied().filter(|r| r.subject == *subject && r.passed()).collect();
        best(&own, sets)
    };
    let found: Vec<Option<&Row>> = subjects.iter().map(of).collect();
    let mut cells = vec![any.case.clone(), any.vlen.to_string(), any.bytes.to_string()];
    for (row, subject) in found.iter().zip(subjects) {
        let none = if lacks(record, subject, &any.case) { "not offered" } else { "–" };
        cells.push(row.map_or(none.into(), |r| shown(r, sets)));
        cells.push(LIBRARIES.show(row.and_then(|r| r.insns_per_byte())));
        cells.push(LIBRARIES.show(row.and_then(|r| r.cycles_per_byte())));
    }
    let (first, last) = (found.first().copied().flatten(), found.last().copied().flatten());
    let each = |f: fn(&Row) -> Option<f64>| ratio(first.and_then(f), last.and_then(f));
    cells.push(each(|r| r.insns_per_byte()));
    cells.push(each(|r| r.cycles_per_byte()));
    cells.push(answers(rows, any));
    Some(cells)
}

/// The first answers that are wrong, and whose they are; without any, those of a row.
pub fn answers(rows: &[&Row], any: &Row) -> String {
    let wrong = rows.iter().find(|r| !r.passed());
    wrong.map_or(any.answers.clone(), |r| format!("{}: {}", r.subject, r.answers))
}

/// Whether it is known that a library does not have a case.
fn lacks(record: &Record, subject: &str, case: &str) -> bool {
    let of = |n: &NotOffered| n.subject == subject && n.cases.iter().any(|c| c == case);
    record.not_offered.iter().any(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(subject: &str, set: &str, insns: f64) -> Row {
        let row = crate::testing::row("xts", set, 16, insns);
        Row { subject: subject.into(), ..row }
    }

    #[test]
    fn each_library_has_its_best_set() {
        let rows = vec![row("a", "scalar", 160.0), row("a", "full", 64.0), row("b", "full", 16.0)];
        let record = Record { rows, ..Record::default() };
        let grid = &sections(&record)[0].grid;
        let expected =
            ["case", "a: set", "a: insns/byte", "a: cycles/byte", "b: set", "b: insns/byte"];
        assert_eq!(grid.head[..6], expected);
        assert_eq!(grid.body[0][..4], ["xts", "full", "4.000", "4.000"]);
        assert_eq!(grid.body[0][7..9], ["4.00", "4.00"]);
        let cases = vec!["xts".to_string()];
        let not_offered = vec![NotOffered { subject: "c".into(), cases }];
        let other = Row { case: "ecb".into(), ..row("c", "full", 8.0) };
        let rows = vec![row("a", "full", 64.0), other];
        let record = Record { rows, not_offered, ..Record::default() };
        assert_eq!(sections(&record)[0].grid.body[0][4..7], ["not offered", "–", "–"]);
        let without = vec![Row { bytes: 0, ..row("a", "scalar", 1.0) }];
        assert!(sections(&Record { rows: without, ..Record::default() }).is_empty());
    }
}
