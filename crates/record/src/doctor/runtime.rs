//! What is known about language runtimes and libraries.

use serde::{Deserialize, Serialize};

/// A runtime or library, and what it leaves unused of the processor.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RuntimeFinding {
    /// Its name.
    pub runtime: String,
    /// The version for which this is known.
    pub version: String,
    /// The package of Debian that has it.
    pub package: String,
    /// The name under which `capvec bench` measures it, if it does.
    pub subject: Option<String>,
    /// The verdict, as tables show it.
    pub verdict: String,
    /// Whether it leaves anything unused.
    pub slower: bool,
    /// The processor's extensions that it leaves unused.
    pub unused: Vec<String>,
    /// A short explanation.
    pub why: String,
    /// How this is known.
    pub source: String,
    /// The remedy.
    pub remedy: Option<String>,
}
