//! What a record of known answers shows.

use super::summary::{LEGEND, grid};
use super::{Record, Row};
use crate::grid::Section;
use crate::shown::{Summary, Tables, command};
use anyhow::Result;

impl Tables for Record {
    /// A line for each algorithm.
    fn sections(&self) -> Result<Vec<Section>> {
        let legend = format!("{LEGEND}{}", self.sum());
        Ok(vec![Section { title: "Known answers", grid: grid(&self.rows), legend: legend.into() }])
    }
}

impl Summary for Record {
    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Target", self.target.clone()),
            ("Subject", self.subject.clone()),
            ("Command", command(&self.command)),
            ("Tool", self.tool.clone()),
        ]
    }

    fn warnings(&self) -> Vec<String> {
        let bad = self.rows.iter().filter(|r| !r.good());
        bad.map(|r| format!("{} with {}: {}", r.algorithm, r.place(), why(r))).collect()
    }

    fn place(&self) -> Option<String> {
        Some(self.target.clone())
    }

    fn headline(&self, on: &str) -> Vec<(String, String)> {
        let (failed, all) = self.failed();
        let each = match self.counted() {
            one if one.configurations < 2 => String::new(),
            several => format!(", counted in each configuration: {several}"),
        };
        vec![(format!("{failed} of {all}"), format!("vectors failed{on}{each}"))]
    }
}

/// Why a row is not good.
fn why(r: &Row) -> String {
    match (&r.failure, r.failed, r.absent) {
        (Some(f), 1.., _) => {
            format!(
                "{} of {} vectors failed: {} of {}: {}",
                r.failed, r.vectors, f.id, f.file, f.what
            )
        }
        (_, _, 1..) => "not available in this library: not checked".into(),
        _ if r.unlike_scalar > 0 => {
            format!("{} vectors are not as on the scalar path", r.unlike_scalar)
        }
        _ => format!("nothing was tested by {}", r.untested.join(", ")),
    }
}
