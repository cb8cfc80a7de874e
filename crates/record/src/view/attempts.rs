//! Operations whose cost varies with the number of their attempts: ML-DSA's signatures.

use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{Cost, Record, Row};
use capvec_text::digits::{RATIO, count};

const LEGEND: &str = "\
Mean, median and 90th percentile (the smallest value that nine tenths do not exceed) over a fixed sequence of messages, the same for
every library and set. An attempt ends with a signature, or is rejected because it would leak the key. attempts: the mean for a
message. rejected: the sum over all messages. Neither depends on library or set.
";

/// The smallest value that this share of the values does not exceed.
fn percentile(mut values: Vec<f64>, percent: usize) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let rank = (values.len() * percent).div_ceil(100).max(1);
    values.get(rank - 1).copied()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The table, if the record has such operations.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let rows: Vec<&Row> = record.rows.iter().filter(|r| !r.each.is_empty()).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let axes = CoreColumns::of(record);
    let mut head = ["subject", "case", "operation"].map(String::from).to_vec();
    head.extend(axes.head());
    head.extend(["capability set", "messages", "attempts", "rejected"].map(String::from));
    let statistics = ["mean", "median", "90 %"];
    head.extend(["insns", "cycles"].iter().flat_map(|of| statistics.map(|s| format!("{of}: {s}"))));
    let body = rows.iter().map(|row| line(row, &axes)).collect();
    let legend = format!("{LEGEND}{}", axes.legend()).into();
    vec![Section { title: "Operations with several attempts", grid: Grid { head, body }, legend }]
}

fn line(row: &Row, axes: &CoreColumns) -> Vec<String> {
    let each = |f: fn(&Cost) -> f64| row.each.iter().map(f).collect::<Vec<f64>>();
    let attempts = each(|c| c.attempts.into());
    let rejected = each(|c| c.attempts.saturating_sub(1).into()).iter().sum::<f64>();
    let mut cells = [&row.subject, &row.case, &row.direction].map(Clone::clone).to_vec();
    cells.extend(axes.cells(row));
    cells.extend([row.capset.clone(), row.each.len().to_string(), RATIO.show(mean(&attempts))]);
    cells.push(count(Some(rejected)));
    for values in [each(|c| c.insns), each(|c| c.cycles)] {
        cells.push(count(mean(&values)));
        cells.push(count(percentile(values.clone(), 50)));
        cells.push(count(percentile(values, 90)));
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_median_and_percentile_are_of_single_operations() {
        let cost =
            |n: u32| Cost { insns: f64::from(100 * n), cycles: f64::from(200 * n), attempts: n };
        let row = Row {
            direction: "sign".into(),
            each: [1, 9, 2, 4, 3, 5, 1, 7, 6, 12].map(cost).to_vec(),
            ..crate::testing::row("ml-dsa-65", "zbb", 64, 1.0)
        };
        let record = Record { rows: vec![row], ..Record::default() };
        let grid = &sections(&record)[0].grid;
        // By hand: the sum of attempts is 50; sorted 1 1 2 3 4 5 6 7 9 12, the fifth is 4, the ninth 9.
        let expected = [
            "openssl",
            "ml-dsa-65",
            "sign",
            "zbb",
            "10",
            "5.00",
            "40",
            "500",
            "400",
            "900",
            "1000",
            "800",
            "1800",
        ];
        assert_eq!(grid.body, [expected]);
        assert_eq!(grid.head.len(), expected.len());
        assert!(sections(&Record::default()).is_empty());
    }
}
