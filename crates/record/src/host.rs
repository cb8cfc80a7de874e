//! The machine that the tool ran on.

use serde::{Deserialize, Serialize};

/// The machine that the tool ran on. Counts and modelled cycles do not depend on it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Host {
    /// Architecture, as Rust names it: `x86_64`, `aarch64`.
    pub architecture: String,
    /// Name of the processor, if the kernel knows it.
    pub processor: Option<String>,
    /// Number of processors that the tool may use.
    pub processors: usize,
    /// Name of the distribution (`os-release(5)`, PRETTY_NAME).
    pub system: Option<String>,
    /// Name and release of the kernel.
    pub kernel: String,
}
