//! What `capvec doctor --format json` writes, and a report reads.

mod facts;
mod finding;
mod kernel;
mod runtime;
#[cfg(test)]
mod tests;

pub use facts::{Capability, Facts, LibraryFile};
pub use finding::{Cost, FileFinding, Finding, RatioOf, Verdict};
pub use kernel::{Kernel, KernelFinding};
pub use runtime::RuntimeFinding;

use crate::read::supported;
use anyhow::{Context, Result};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// Version of the format. It is raised when a reader of the older format would misunderstand a newer file; an additional field does
/// not raise it.
pub const SCHEMA: u32 = 1;

/// Everything that was found. `Scan` is what a scan of a file found: readers that do not show it pass over it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(bound = "Scan: Default + Serialize + schemars::JsonSchema"))]
#[serde(default, bound(deserialize = "Scan: Default + Deserialize<'de>"))]
pub struct Record<Scan> {
    /// Version of the format; 0 in files from before there were versions.
    pub schema: u32,
    /// For a target.
    pub diagnosis: Option<Diagnosis<Scan>>,
    /// What extensions would gain, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Vec<Cost>>,
    /// For files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileFinding<Scan>>,
    /// For a kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<Kernel>,
    /// For language runtimes and libraries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runtimes: Vec<RuntimeFinding>,
}

/// What was found on a target.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(bound = "Scan: Default + Serialize + schemars::JsonSchema"))]
#[serde(default, bound(deserialize = "Scan: Default + Deserialize<'de>"))]
pub struct Diagnosis<Scan> {
    /// What is reported about the target.
    pub facts: Facts<Scan>,
    /// The finding for each algorithm.
    pub findings: Vec<Finding>,
    /// What the user should know before believing the figures.
    pub warnings: Vec<String>,
}

/// Reads what `capvec doctor --format json` has written, without the scans.
///
/// # Errors
/// The text is something else, or in a newer format.
pub fn parse(text: &str) -> Result<Record<IgnoredAny>> {
    let record: Record<IgnoredAny> =
        serde_json::from_str(text).context("not what `capvec doctor --format json` writes")?;
    supported(record.schema, SCHEMA)?;
    Ok(record)
}

impl<Scan> Record<Scan> {
    /// What was found about a target.
    pub fn of_target(diagnosis: Diagnosis<Scan>, cost: Option<Vec<Cost>>) -> Record<Scan> {
        Record { diagnosis: Some(diagnosis), cost, ..Record::of_files(Vec::new()) }
    }

    /// What was found about files.
    pub fn of_files(files: Vec<FileFinding<Scan>>) -> Record<Scan> {
        Record {
            schema: SCHEMA,
            diagnosis: None,
            cost: None,
            files,
            kernel: None,
            runtimes: Vec::new(),
        }
    }

    /// What was found about a kernel.
    pub fn of_kernel(kernel: Kernel) -> Record<Scan> {
        Record { kernel: Some(kernel), ..Record::of_files(Vec::new()) }
    }

    /// What is known about runtimes and libraries.
    pub fn of_runtimes(runtimes: Vec<RuntimeFinding>) -> Record<Scan> {
        Record { runtimes, ..Record::of_files(Vec::new()) }
    }

    /// The findings about a kernel's implementations.
    pub fn kernel_findings(&self) -> &[KernelFinding] {
        self.kernel.as_ref().map_or(&[], |k| &k.findings)
    }

    /// The findings about algorithms.
    pub fn findings(&self) -> &[Finding] {
        self.diagnosis.as_ref().map_or(&[], |d| &d.findings)
    }

    /// Whether an answer is wrong.
    pub fn is_wrong(&self) -> bool {
        self.findings().iter().any(|f| f.verdict == Verdict::Wrong)
    }

    /// Whether something is lost that the target or this library could have, not only another library.
    pub fn is_lost(&self) -> bool {
        let lost = |f: &Finding| f.slower && f.verdict != Verdict::FasterExists;
        self.findings().iter().any(lost)
            || self.files.iter().any(|f| f.slower)
            || self.kernel_findings().iter().any(|f| f.slower)
            || self.runtimes.iter().any(|f| f.slower)
    }

    /// Whether anything is slower than it could be.
    pub fn is_slower(&self) -> bool {
        self.is_lost() || self.findings().iter().any(|f| f.slower)
    }
}
