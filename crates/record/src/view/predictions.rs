//! Predictions compared with published figures.

use crate::grid::{Grid, Section};
use crate::published::speeds::{self, Speeds};
use crate::{Evaluated, Figure};
use anyhow::Result;
use capvec_text::digits::{RATIO, SPEED};

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

/// The tables, if anything in the record has a published figure.
///
/// # Errors
/// The published figures cannot be read.
pub(super) fn sections(record: &Evaluated) -> Result<Vec<Section>> {
    let mut sections = Vec::new();
    for table in &speeds::ALL {
        let Some(grid) = grid(record, table)? else { continue };
        let legend = format!(
            "published: kB/s of {}, with the set that was best there ({}).\n\
             predicted: of the core model with the same set. ratio: predicted over published; 1.00 is an exact prediction.\n",
            table.about, table.file
        );
        sections.push(Section { title: "Predicted and published", grid, legend: legend.into() });
    }
    Ok(sections)
}

fn grid(record: &Evaluated, table: &Speeds) -> Result<Option<Grid>> {
    // The best set may have been measured under another name.
    let find = |case: &str, scalar: bool| -> Option<Figure> {
        // A modified core has no published figures.
        let of = |r: &Figure| {
            r.derived.published_kbps.is_some()
                && r.case == case
                && record.core_name(&r.core) == table.core
        };
        record.figures().filter(of).find(|r| (r.capset == "scalar") == scalar)
    };
    let body: Vec<Vec<String>> = table
        .lines()?
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

fn line(p: &speeds::Line, scalar: Option<Figure>, best: Option<Figure>) -> Vec<String> {
    let kbps = |r: Option<Figure>| r.and_then(|r| r.kbps());
    let ratio = |r: Option<Figure>| r.and_then(|r| r.derived.ratio);
    let predicted = kbps(best).zip(kbps(scalar)).map(|(b, s)| b / s);
    let published = p.best_kbps / p.scalar_kbps;
    vec![
        p.case.clone(),
        SPEED.text(p.scalar_kbps),
        SPEED.show(kbps(scalar)),
        RATIO.show(ratio(scalar)),
        p.best_capset.clone(),
        SPEED.text(p.best_kbps),
        SPEED.show(kbps(best)),
        RATIO.show(ratio(best)),
        RATIO.text(published),
        RATIO.show(predicted),
        RATIO.show(predicted.map(|v| v / published)),
    ]
}
