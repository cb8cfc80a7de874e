//! How much figures depend on the layout of memory: `--layouts`.

use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{Record, Row};
use capvec_text::digits::{PER_BYTE, PERCENT, count};

const LEGEND: &str = "\
Each figure in random layouts of memory: where stack, heap, libraries and buffers lie decides which lines of the caches conflict. Other tables show
the median (of an even number, the lower one of the two in the middle). spread: of minimum and maximum, in percent of the median.
";

/// The table, if the record has figures of several layouts.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let rows: Vec<&Row> = record.rows.iter().filter(|r| r.layouts().is_some()).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let axes = CoreColumns::of(record);
    let mut head = ["subject", "case", "operation", "bytes"].map(String::from).to_vec();
    head.extend(axes.head());
    let figures =
        ["capability set", "layouts", "cycles/byte: median", "minimum", "maximum", "spread"];
    head.extend(figures.map(String::from));
    let body = rows.iter().filter_map(|row| line(row, &axes)).collect();
    let legend = format!("{LEGEND}{}", axes.legend()).into();
    vec![Section { title: "Layouts of memory", grid: Grid { head, body }, legend }]
}

fn line(row: &Row, axes: &CoreColumns) -> Option<Vec<String>> {
    let [least, most] = row.layouts()?;
    let median = row.cycles_per_op?;
    // Operations without a message have cycles only.
    let figure = |cycles: f64| match row.bytes {
        0 => count(Some(cycles)),
        bytes => PER_BYTE.text(cycles / bytes as f64),
    };
    let percent = |cycles: f64| PERCENT.change((cycles / median - 1.0) * 100.0);
    let bytes = if row.bytes > 0 { row.bytes.to_string() } else { String::new() };
    let mut cells = vec![row.subject.clone(), row.case.clone(), row.direction.clone(), bytes];
    cells.extend(axes.cells(row));
    cells.extend([
        row.capset.clone(),
        row.cycles_by_layout.len().to_string(),
        figure(median),
        figure(least),
        figure(most),
        format!("{} to {}", percent(least), percent(most)),
    ]);
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_least_and_most_of_the_layouts() {
        let row = Row {
            cycles_per_op: Some(200.0),
            cycles_by_layout: vec![200.0, 250.0, 150.0],
            ..crate::testing::row("sha256", "scalar", 100, 1.0)
        };
        let plain = crate::testing::row("sm3", "scalar", 100, 1.0);
        let record = Record { rows: vec![plain, row], ..Record::default() };
        let grid = &sections(&record)[0].grid;
        let expected = [
            "openssl",
            "sha256",
            "enc",
            "100",
            "scalar",
            "3",
            "2.00",
            "1.50",
            "2.50",
            "-25.0 % to +25.0 %",
        ];
        assert_eq!(grid.body, [expected]);
        assert_eq!(grid.head.len(), expected.len());
        assert!(sections(&Record::default()).is_empty());
    }
}
