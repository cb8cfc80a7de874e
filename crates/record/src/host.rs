//! The machine that the tool ran on.

use serde::{Deserialize, Serialize};

/// What records say of it. Counts and modelled cycles do not depend on it; times that the tool took do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Host {
    /// Architecture, as Rust names it: `x86_64`, `aarch64`.
    pub architecture: String,
    /// Name of the processor as the kernel has it, if it does.
    pub processor: Option<String>,
    /// Processors that may be used.
    pub processors: usize,
    /// Name of the distribution (`os-release(5)`, PRETTY_NAME).
    pub system: Option<String>,
    /// Name and release of the kernel.
    pub kernel: String,
}
