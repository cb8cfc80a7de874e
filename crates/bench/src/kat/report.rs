//! What came of the vectors, for people and programs.

use super::known::{self, Known};
use super::row::{COLUMNS, Row};
use super::rows::rows;
use super::run::{Configured, Plan};
use crate::host::{Host, command};
use crate::run::Runner;
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// A whole run of `kat`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// What wrote it.
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
    /// Digest of the driver's source and of what compiled it.
    pub driver: String,
    /// Every algorithm in every configuration.
    pub rows: Vec<Row>,
    /// The known failures that were seen.
    pub known: Vec<Known>,
}

impl Record {
    /// Every row as CSV, with a header.
    pub fn csv(&self) -> String {
        let lines = self.rows.iter().map(|r| r.fields().join(","));
        std::iter::once(COLUMNS.join(",")).chain(lines).map(|l| l + "\n").collect()
    }

    /// Puts a run together.
    pub fn new(
        tool: &str,
        plan: &Plan,
        configured: &[Configured],
        runner: &Runner,
    ) -> Result<Record> {
        let failed = configured.iter().flat_map(|c| &c.results).flatten();
        // Asking for the version takes a guest.
        let all = match failed.into_iter().any(|r| r.failure.is_some()) {
            true => known::of(runner)?,
            false => Vec::new(),
        };
        let seen = |k: &Known| {
            configured.iter().any(|c| {
                let results = plan.vectors.vectors.iter().zip(&c.results);
                let mut failed =
                    results.filter_map(|(v, r)| Some((v, r.as_ref()?.failure.as_deref()?)));
                failed.any(|(v, f)| k.is(v, f, c.vlen, &c.capset))
            })
        };
        Ok(Record {
            tool: tool.into(),
            command: command(),
            machine: Host::this(),
            target: runner.target().name().into(),
            subject: runner.subject().into(),
            packages: runner.packages().to_vec(),
            driver: runner.driver_id().into(),
            rows: rows(plan, configured, &all),
            known: all.iter().filter(|k| seen(k)).cloned().collect(),
        })
    }

    /// Whether all is as it must be.
    pub fn good(&self) -> bool {
        self.rows.iter().all(Row::good)
    }
}
