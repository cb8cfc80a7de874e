//! A whole run of `capvec kat`.

mod known;
mod row;
mod shown;
mod summary;

pub use known::Known;
pub use row::{Failure, Row};
pub use summary::Counted;

use crate::host::Host;
use crate::read::supported;
use anyhow::{Context, Result};
use row::COLUMNS;
use serde::{Deserialize, Serialize};

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// A whole run of `kat`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Record {
    /// Version of the format; 0 in files from before there were versions.
    pub schema: u32,
    /// The tool that wrote it, with its version.
    pub tool: String,
    /// The command line.
    pub command: Vec<String>,
    /// Where the tool ran.
    pub machine: Host,
    /// Where the code ran, as `--target` calls it.
    pub target: String,
    /// The library, as `--subject` calls it.
    pub subject: String,
    /// Packages of the sysroot that the library came from.
    pub packages: Vec<String>,
    /// Digest of the driver's source and of its compiler.
    pub driver: String,
    /// Every algorithm in every configuration.
    pub rows: Vec<Row>,
    /// The known failures that were seen.
    pub known: Vec<Known>,
}

/// Reads what `capvec kat --format json` wrote.
///
/// # Errors
/// It is something else, or in a newer format.
pub fn parse(text: &str) -> Result<Record> {
    let record: Record = serde_json::from_str(text).context("not what kat writes")?;
    supported(record.schema, SCHEMA)?;
    Ok(record)
}

impl Record {
    /// Every row as CSV, with a header.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().map(|r| r.fields().join(","));
        std::iter::once(COLUMNS.join(",")).chain(lines).map(|l| l + "\n").collect()
    }

    /// Whether every algorithm passed in every configuration.
    pub fn good(&self) -> bool {
        self.rows.iter().all(Row::good)
    }
}
