//! Operations without a message length of several libraries, next to each other for each capability set.

use crate::best::{columns, groups};
use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::view::libraries::answers;
use crate::{Record, Row};
use capvec_text::digits::{RATIO, count};

const LEGEND: &str = "\
insns/op: retired instructions, exact, here rounded (k, M, G: thousands, millions, billions); where they depend on random numbers or
the message, the mean of what was measured. cycles/op: of the core model. fewer insns, faster: how many times the last library
does better than the first.
";

/// The table, if the record has such operations.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let rows = || record.rows.iter().filter(|r| r.bytes == 0);
    let (subjects, others) = columns(rows().map(|r| r.subject.as_str()), "libraries");
    if subjects.is_empty() {
        return Vec::new();
    }
    let axes = CoreColumns::of(record);
    let place = |r: &&Row| (r.core.clone(), r.vlen);
    let lines = groups(rows().filter(|r| subjects.contains(&r.subject.as_str())), |r| {
        (r.case.clone(), r.direction.clone(), r.capset.clone(), place(r))
    });
    let mut head = ["case", "operation"].map(String::from).to_vec();
    head.extend(axes.head());
    head.push("capability set".into());
    head.extend(
        subjects.iter().flat_map(|s| ["insns/op", "cycles/op"].map(|w| format!("{s}: {w}"))),
    );
    head.extend(["fewer insns", "faster", "answers"].map(String::from));
    let body = lines.iter().filter_map(|rows| line(rows, &subjects, &axes)).collect();
    let legend = format!("{LEGEND}{others}{}", axes.legend()).into();
    let title = "Operations of libraries next to each other";
    vec![Section { title, grid: Grid { head, body }, legend }]
}

fn line(rows: &[&Row], subjects: &[&str], axes: &CoreColumns) -> Option<Vec<String>> {
    let any = rows.first()?;
    let own = |s: &&str| rows.iter().copied().find(|r| r.subject == *s && r.passed());
    let found: Vec<Option<&Row>> = subjects.iter().map(own).collect();
    let mut cells = vec![any.case.clone(), any.direction.clone()];
    cells.extend(axes.cells(any));
    cells.push(any.capset.clone());
    for row in &found {
        cells.push(count(row.and_then(|r| r.insns_per_op)));
        cells.push(count(row.and_then(|r| r.cycles_per_op)));
    }
    let of =
        |row: Option<&Option<&Row>>, f: fn(&Row) -> Option<f64>| row.copied().flatten().and_then(f);
    let each = |f: fn(&Row) -> Option<f64>| {
        let last = of(found.last(), f).filter(|last| *last > 0.0);
        RATIO.show(of(found.first(), f).zip(last).map(|(first, last)| first / last))
    };
    cells.extend([each(|r| r.insns_per_op), each(|r| r.cycles_per_op)]);
    cells.push(answers(rows, any));
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_compared_set_by_set() {
        let row = |subject: &str, set: &str, insns: f64| Row {
            subject: subject.into(),
            direction: "keygen".into(),
            bytes: 0,
            cycles_per_op: Some(2.0 * insns),
            ..crate::testing::row("ml-kem-768", set, 64, insns)
        };
        let rows = vec![
            row("openssl", "scalar", 800.0),
            row("openssl", "zbb", 600.0),
            row("capvec", "scalar", 400.0),
            Row { answers: "wrong".into(), ..row("capvec", "zbb", 1.0) },
        ];
        let record = Record { rows, ..Record::default() };
        let grid = &sections(&record)[0].grid;
        let expected = [
            ["ml-kem-768", "keygen", "scalar", "800", "1600", "400", "800", "2.00", "2.00", "pass"],
            ["ml-kem-768", "keygen", "zbb", "600", "1200", "–", "–", "–", "–", "capvec: wrong"],
        ];
        assert_eq!(grid.body, expected);
        assert_eq!(grid.head.len(), expected[0].len());
        assert!(sections(&Record::default()).is_empty());
    }
}
