//! What `capvec explore` measured: the same cases without and with the added instructions, at several costs and VLENs.

mod facts;
mod index;
pub mod view;

use crate::quotient::possible;
use crate::read::supported;
use anyhow::{Context, Result, ensure};
pub use facts::{Added, ClassPoint, Explored, FunctionPoint, Point, Price, VERSION};
use index::Index;

/// The most figures of each kind (points, functions, classes) in a file.
const MOST: usize = 100_000;
/// The most lines of a table: cases times additions.
const MOST_LINES: usize = 10_000;
/// The most VLENs and latencies, which are columns.
const MOST_COLUMNS: usize = 32;

/// Reads what `capvec explore --format json` wrote.
///
/// # Errors
/// It is something else, in a newer format, or has figures that cannot have been measured.
pub fn parse(text: &str) -> Result<Explored> {
    let explored: Explored = serde_json::from_str(text).context("not what explore writes")?;
    supported(explored.explore, VERSION)?;
    let Explored { points, functions, classes, .. } = &explored;
    let most = points.len().max(functions.len()).max(classes.len());
    ensure!(most <= MOST, "it has more than {MOST} figures");
    let lines = explored.bases().count().saturating_mul(explored.with.len() + 1);
    ensure!(lines <= MOST_LINES, "it compares more than {MOST_LINES} figures");
    let columns = explored.vlens().len().max(explored.latencies().len());
    ensure!(columns <= MOST_COLUMNS, "it has more than {MOST_COLUMNS} VLENs or latencies");
    let figures = points.iter().flat_map(|p| [p.insns, p.cycles]);
    let figures = figures.chain(functions.iter().flat_map(|f| [f.insns, f.cycles]));
    let figures = figures.chain(classes.iter().map(|c| c.insns));
    for figure in figures {
        ensure!(
            possible(figure),
            "{figure:?} cannot have been measured; figures are from 0 to 1e18"
        );
    }
    Ok(explored)
}

impl Explored {
    /// The best gain of all additions and cases at the core's own costs and VLEN: its point, and how many times fewer
    /// cycles it takes.
    pub fn best(&self) -> Option<(&Point, f64)> {
        self.own_gains().into_iter().max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The gains at the core's own prices and VLEN.
    pub fn own_gains(&self) -> Vec<(&Point, f64)> {
        let own = |(p, _): &(&Point, f64)| p.price == Price::Core && p.vlen == self.vlen;
        self.gains().into_iter().filter(own).collect()
    }

    /// The capability set that was added to, with what its name means.
    pub fn base_text(&self) -> String {
        match self.base.as_str() {
            "full" => "full (every extension that OpenSSL knows)".into(),
            "scalar" => "scalar (rv64gc)".into(),
            other => other.into(),
        }
    }

    /// Every point of an addition, and how many times fewer cycles it takes than the same case without, at its VLEN.
    pub fn gains(&self) -> Vec<(&Point, f64)> {
        let index = Index::of(self);
        let added = self.points.iter().filter(|p| !p.with.is_empty() && p.wrong.is_none());
        let gain = |p| Some((p, index.like(p, "", p.vlen, Price::Core)?.cycles / p.cycles));
        added.filter_map(gain).filter(|(_, gain)| gain.is_finite()).collect()
    }

    /// The cases of the base at the core's VLEN, in the order in which they were measured.
    fn bases(&self) -> impl Iterator<Item = &Point> {
        let own = |p: &&Point| p.with.is_empty() && p.vlen == self.vlen && p.price == Price::Core;
        self.points.iter().filter(own)
    }

    /// The points with wrong answers.
    pub fn wrong(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|p| p.wrong.is_some())
    }
}
