//! The table of predictions beside published figures.

use crate::published;
use crate::view::grid::{Grid, fixed};
use crate::{Record, Row};
use anyhow::Result;

const HEAD: [&str; 11] = [
    "case",
    "published scalar",
    "predicted",
    "ratio",
    "capability set",
    "published",
    "predicted",
    "ratio",
    "published speed-up",
    "predicted",
    "ratio",
];

/// What the columns mean.
pub const LEGEND: &str = "\
published: kB/s of Karu64 on an FPGA, with the set that was best there (published/karu64_openssl.csv).
predicted: of the core model with the same set. ratio: predicted over published; 1.00 is a right prediction.
";

/// The table, if anything in the record has a published figure beside it.
pub(crate) fn grid(record: &Record) -> Result<Option<Grid>> {
    // The best set may have been measured under another name.
    let find = |case: &str, scalar: bool| -> Option<&Row> {
        let with_figure = |r: &&Row| r.case == case && r.published_kbps.is_some();
        record.rows.iter().filter(with_figure).find(|r| (r.capset == "scalar") == scalar)
    };
    let body: Vec<Vec<String>> = published::karu64()?
        .iter()
        .filter_map(|p| {
            let (scalar, best) = (find(&p.case, true), find(&p.case, false));
            scalar.or(best)?;
            Some(line(p, scalar, best))
        })
        .collect();
    let head = HEAD.iter().map(|s| s.to_string()).collect();
    Ok(if body.is_empty() { None } else { Some(Grid { head, body }) })
}

fn line(p: &published::Row, scalar: Option<&Row>, best: Option<&Row>) -> Vec<String> {
    let kbps = |r: Option<&Row>| r.and_then(|r| r.kbps);
    let ratio = |r: Option<&Row>| r.and_then(|r| r.ratio);
    let predicted = kbps(best).zip(kbps(scalar)).map(|(b, s)| b / s);
    let published = p.best_kbps / p.scalar_kbps;
    vec![
        p.case.clone(),
        fixed(Some(p.scalar_kbps), 1),
        fixed(kbps(scalar), 1),
        fixed(ratio(scalar), 2),
        p.best_capset.clone(),
        fixed(Some(p.best_kbps), 1),
        fixed(kbps(best), 1),
        fixed(ratio(best), 2),
        fixed(Some(published), 2),
        fixed(predicted, 2),
        fixed(predicted.map(|v| v / published), 2),
    ]
}
