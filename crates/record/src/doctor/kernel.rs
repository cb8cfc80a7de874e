//! What is found about a kernel.

use serde::{Deserialize, Serialize};

/// A kernel, and what became of its accelerated implementations.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Kernel {
    /// Its release.
    pub release: String,
    /// Its architecture, as Linux names it: riscv, x86, arm64.
    pub architecture: String,
    /// Where its configuration was read.
    pub config: String,
    /// Words of its command line that take acceleration away, with what they do.
    pub remarks: Vec<String>,
    /// The finding for each implementation.
    pub findings: Vec<KernelFinding>,
}

/// What became of an implementation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct KernelFinding {
    /// The algorithm, for display.
    pub algorithm: String,
    /// The extensions that the code needs.
    pub extensions: Vec<String>,
    /// The option that builds it; empty if this release has none.
    pub option: String,
    /// Its value: y, m or n.
    pub value: String,
    /// The driver that the kernel uses for the algorithm, by /proc/crypto; `None` if that is not known, or nobody asked for it so far.
    pub driver: Option<String>,
    /// The verdict, as tables show it.
    pub verdict: String,
    /// Whether the kernel loses acceleration.
    pub slower: bool,
    /// A short explanation.
    pub why: String,
    /// The remedy.
    pub remedy: Option<String>,
}
