//! What `capvec ct --cases --format json` writes, as far as a report shows it: call paths and the chains back to marks are passed
//! over.

mod matrix;
mod shown;
#[cfg(test)]
mod tests;

use crate::read::supported;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// The version of the format.
const SCHEMA: u32 = 1;

/// Checks of cases in several configurations.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Checks {
    /// Version of the format.
    schema: u32,
    /// The checked library, as `--subject` calls it.
    pub subject: String,
    /// Each is a case in a configuration.
    pub rows: Vec<Row>,
    /// What depends on secrets, each once.
    pub findings: Vec<Finding>,
}

/// A case in a configuration.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Row {
    /// The case.
    pub case: String,
    /// The capability set.
    pub caps: String,
    /// VLEN in bits; `None` without vector instructions.
    pub vlen: Option<u32>,
    /// Why nothing was checked; `None` if it was.
    pub not_checked: Option<String>,
    /// Indices of the findings.
    pub findings: Vec<usize>,
    /// With `--timing`: the case's operations. Nothing else was checked then.
    pub timings: Vec<Timing>,
}

/// An operation with several keys and inputs on a core model.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// The operation.
    pub operation: String,
    /// Its modelled cycles, each number once.
    pub cycles: Vec<u64>,
    /// Number of keys and inputs.
    pub inputs: usize,
    /// Why the cycles may vary: because of something public.
    pub may_vary: Option<String>,
}

/// Something that depends on a secret, at one instruction.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// What depends on it.
    pub kind: String,
    /// The function.
    pub function: String,
    /// The file of the function.
    pub object: String,
    /// The instruction's address in that file.
    pub address: u64,
    /// The instruction, disassembled.
    pub instruction: String,
    /// Its line of the source, if that is known.
    pub source: Option<Source>,
    /// How often.
    pub count: u64,
}

/// A line of a source file.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Source {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// Reads what `capvec ct --cases --format json` has written.
///
/// # Errors
/// The text is something else, such as the check of a program, or in a newer format.
pub fn parse(text: &str) -> Result<Checks> {
    let checks: Checks =
        serde_json::from_str(text).context("not what `capvec ct --cases --format json` writes")?;
    supported(checks.schema, SCHEMA)?;
    let all = checks.findings.len();
    let known = checks.rows.iter().flat_map(|r| &r.findings).all(|n| *n < all);
    ensure!(known, "a row names a finding that is not there");
    Ok(checks)
}
