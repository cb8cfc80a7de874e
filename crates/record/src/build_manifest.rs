//! Libraries that were built from source.

use crate::configure_options::COMMON_OPTIONS;
use serde::{Deserialize, Serialize};

/// How a build was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Manifest {
    /// Its name.
    pub name: String,
    /// Architecture.
    pub architecture: String,
    /// Where the source is from, with its version or digest.
    pub source: String,
    /// Arguments of Configure.
    pub configure: Vec<String>,
    /// The compiler: packages, or the command and the version that it prints.
    pub compiler: String,
    /// SHA-256 of the library.
    pub sha256: String,
    /// Digest of all its inputs.
    pub id: String,
}

impl Manifest {
    /// Configure's arguments that are passed to the compiler.
    pub fn flags(&self) -> impl Iterator<Item = &str> {
        self.configure.iter().filter(|a| a.contains('=')).map(String::as_str)
    }

    /// Options that distinguish it: those that not every build has.
    pub fn options(&self) -> impl Iterator<Item = &str> {
        let own = |a: &&String| !a.contains('=') && !COMMON_OPTIONS.contains(&a.as_str());
        self.configure.iter().skip(1).filter(own).map(String::as_str)
    }
}
