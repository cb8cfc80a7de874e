//! What `capvec explore` measured: the same cases without and with instructions, at other prices, at other VLENs.

mod index;
pub mod view;

use crate::quotient::possible;
use anyhow::{Context, Result, ensure};
use index::Index;
use serde::{Deserialize, Serialize};

/// The version of the format.
pub const VERSION: u32 = 1;

/// An exploration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Explored {
    /// Version of the format.
    pub explore: u32,
    /// The tool and its version.
    pub tool: String,
    /// The command that made it, word by word.
    pub command: Vec<String>,
    /// The measured library.
    pub subject: String,
    /// The library's version.
    pub version: String,
    /// The core's label.
    pub core: String,
    /// Digest of the core's parameters.
    pub core_digest: String,
    /// The core's clock in Hz.
    pub frequency: u64,
    /// Whether the core has a model of cycles beyond one for each instruction.
    pub priced: bool,
    /// The core's VLEN in bits, at which prices were varied.
    pub vlen: u32,
    /// The capability set that the extensions are added to.
    pub base: String,
    /// What was added: each alone and, if there are several that one hart can have, all together.
    pub with: Vec<Added>,
    /// What was measured.
    pub points: Vec<Point>,
    /// Where the time goes, at the core's own VLEN and prices.
    #[serde(default)]
    pub functions: Vec<FunctionPoint>,
    /// Which instructions take the time, with each addition at the core's own VLEN and prices.
    #[serde(default)]
    pub classes: Vec<ClassPoint>,
}

/// Extensions that were added to the base.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Added {
    /// Their names, joined by `_`.
    pub name: String,
    /// Mnemonics of the instructions that came with them.
    pub instructions: Vec<String>,
}

/// What the added instructions cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Price {
    /// What the core says.
    #[default]
    Core,
    /// Nothing: no issue slot and no time.
    Free,
    /// This many cycles for each instruction, or for each element group.
    Cycles(u32),
}

/// One figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Point {
    /// The name of what was added; empty for the base.
    pub with: String,
    /// Bits of a vector register.
    pub vlen: u32,
    /// What the added instructions cost.
    pub price: Price,
    /// The case.
    pub case: String,
    /// The operation: `enc`, `dec`, `sign` and so on.
    pub direction: String,
    /// Bytes of the message; 0 where there is no size.
    pub bytes: usize,
    /// Retired instructions of an operation.
    pub insns: f64,
    /// Modelled cycles of an operation.
    pub cycles: f64,
    /// What is wrong with the answers; then there are no figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

/// What a function itself takes of one operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FunctionPoint {
    /// The name of what was added; empty for the base.
    pub with: String,
    /// The case.
    pub case: String,
    /// The operation.
    pub direction: String,
    /// Bytes of the message; 0 where there is no size.
    pub bytes: usize,
    /// The function.
    pub function: String,
    /// Retired instructions of an operation.
    pub insns: f64,
    /// Modelled cycles of an operation.
    pub cycles: f64,
}

/// Instructions of one class in one operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClassPoint {
    /// The name of what was added; empty for the base.
    pub with: String,
    /// The case.
    pub case: String,
    /// The operation.
    pub direction: String,
    /// Bytes of the message; 0 where there is no size.
    pub bytes: usize,
    /// The latency class.
    pub class: String,
    /// Retired instructions of an operation.
    pub insns: f64,
    /// Modelled cycles that are charged to them; 0 in files of earlier versions.
    #[serde(default)]
    pub cycles: f64,
}

/// The most points of a kind in a file that is shown.
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
    ensure!(
        explored.explore <= VERSION,
        "its format is version {}, and this capvec reads versions up to {VERSION}; use a newer capvec",
        explored.explore
    );
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
    /// The best gain of all additions and cases at the core's own prices and VLEN: its point, and how many times fewer
    /// cycles it takes.
    pub fn best(&self) -> Option<(&Point, f64)> {
        let own = |(p, _): &(&Point, f64)| p.price == Price::Core && p.vlen == self.vlen;
        self.gains().into_iter().filter(own).max_by(|a, b| a.1.total_cmp(&b.1))
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
