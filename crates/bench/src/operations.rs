//! The table of operations without a message length: public-key operations and key set-up.

use crate::best::{best, groups, several};
use crate::capset::CapSet;
use crate::grid::{Grid, fixed};
use crate::record::{Record, Row};

const HEAD: [&str; 8] = [
    "case",
    "operation",
    "scalar ops/s",
    "best capability set",
    "best ops/s",
    "speed-up",
    "insns/op scalar → best",
    "answers",
];

/// What the columns mean.
pub(crate) const LEGEND: &str = "\
ops/s: of the core model, not of silicon. insns/op: retired instructions, exact; where they depend on random
numbers, the mean over the operations that were measured.
";

/// The table, if the record has such operations.
pub(crate) fn grid(record: &Record, capsets: &[CapSet]) -> Option<Grid> {
    let vlens = several(&record.rows, |r| r.vlen);
    let rows = record.rows.iter().filter(|r| r.bytes == 0);
    let body: Vec<Vec<String>> = groups(rows, |r| (r.vlen, r.case.clone(), r.direction.clone()))
        .into_iter()
        .filter_map(|rows| {
            let failed = rows.iter().copied().find(|r| !r.passed());
            let shown = failed.or_else(|| best(&rows, capsets))?;
            let scalar = rows.iter().copied().find(|r| r.capset == "scalar");
            Some(with_vlen(vlens, cells(scalar, shown), shown.vlen.to_string()))
        })
        .collect();
    let head = with_vlen(vlens, HEAD.map(String::from).to_vec(), "VLEN".into());
    if body.is_empty() { None } else { Some(Grid { head, body }) }
}

fn with_vlen(wanted: bool, mut cells: Vec<String>, vlen: String) -> Vec<String> {
    if wanted {
        cells.insert(1, vlen);
    }
    cells
}

fn cells(scalar: Option<&Row>, best: &Row) -> Vec<String> {
    let ops = |r: Option<&Row>| rate(r.and_then(|r| r.ops_per_s));
    let insns = |r: Option<&Row>| fixed(r.and_then(|r| r.insns_per_op), 0);
    vec![
        best.case.clone(),
        best.direction.clone(),
        ops(scalar),
        best.capset.clone(),
        ops(Some(best)),
        fixed(best.speedup, 2),
        format!("{} → {}", insns(scalar), insns(Some(best))),
        best.answers.clone(),
    ]
}

/// At least three significant digits: signatures take from microseconds to minutes.
pub(crate) fn rate(v: Option<f64>) -> String {
    fixed(
        v,
        v.map_or(
            0,
            |v| if v > 0.0 { (2 - v.log10().floor() as i32).clamp(1, 6) as usize } else { 1 },
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_keep_three_digits() {
        let shown = [12345.67, 123.45, 12.345, 0.012345].map(|v| rate(Some(v)));
        assert_eq!(shown, ["12345.7", "123.5", "12.3", "0.0123"]);
        assert_eq!(rate(None), "–");
    }
}
