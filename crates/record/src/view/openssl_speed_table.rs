//! The stock program `openssl speed` next to the driver.

use super::core_columns::CoreColumns;
use crate::grid::{Grid, Section};
use crate::{Evaluated, Row};
use capvec_text::digits::{AGREEMENT, RATIO, SPEED};
use std::collections::HashMap;

const HEAD: [&str; 9] = [
    "case",
    "VLEN",
    "bytes",
    "capability set",
    "openssl speed kB/s",
    "driver kB/s",
    "ratio",
    "published kB/s",
    "predicted / published",
];

/// What the columns mean.
const LEGEND: &str = "\
openssl speed: kB/s that the stock program prints on the core model. driver: kB/s as in the first table; it counts
instructions as well, and checks answers. ratio: the program over the driver.
";

/// The table, if the record has any of it.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    let section =
        |grid| Section { title: "The stock program openssl speed", grid, legend: LEGEND.into() };
    grid(record).map(section).into_iter().collect()
}

/// The program next to the driver, for scalar and for the sets with a published figure; for all, if none has one.
fn grid(record: &Evaluated) -> Option<Grid> {
    let published = record.speed_figures().any(|r| r.derived.published_kbps.is_some());
    let shown = record.speed_figures().filter(|r| !published || r.derived.published_kbps.is_some());
    type Place<'a> = (&'a str, &'a str, &'a str, &'a str, u32, usize);
    fn place(r: &Row) -> Place<'_> {
        (&r.core, &r.case, &r.capset, &r.direction, r.vlen, r.bytes)
    }
    let mut places: HashMap<Place, &Row> = HashMap::new();
    for r in &record.rows {
        places.entry(place(r)).or_insert(r);
    }
    let driver = |s: &Row| places.get(&place(s)).and_then(|r| r.kbps());
    let axes = CoreColumns::of(record).without_vlen();
    let body: Vec<Vec<String>> = shown
        .map(|s| {
            let own = driver(&s);
            let mut cells = vec![
                s.case.clone(),
                s.vlen.to_string(),
                s.bytes.to_string(),
                s.capset.clone(),
                SPEED.show(s.kbps()),
                SPEED.show(own),
                AGREEMENT.show(s.kbps().zip(own).map(|(a, b)| a / b)),
                SPEED.show(s.derived.published_kbps),
                RATIO.show(s.derived.ratio),
            ];
            cells.splice(1..1, axes.cells(&s));
            cells
        })
        .collect();
    let mut head: Vec<String> = HEAD.iter().map(|s| s.to_string()).collect();
    head.splice(1..1, axes.head());
    (!body.is_empty()).then_some(Grid { head, body })
}
