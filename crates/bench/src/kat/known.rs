//! What the stock library is known to fail: `vectors/openssl.toml`.

use super::format::Vector;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

const TEXT: &str = include_str!("../../../../vectors/openssl.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    known: Vec<Known>,
}

/// A known failure of some vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Library and version that it was seen in.
    pub subject: String,
    /// File of the vectors.
    pub file: String,
    /// Their names.
    pub ids: Vec<String>,
    /// How the message of the failure ends.
    pub failure: String,
    /// Why it fails, with its source.
    pub why: String,
}

/// The list.
///
/// # Errors
/// The file is broken.
pub fn known() -> Result<Vec<Known>> {
    let file: File = toml::from_str(TEXT).context("vectors/openssl.toml")?;
    Ok(file.known)
}

impl Known {
    /// Whether this failure of this vector is the known one.
    pub fn is(&self, v: &Vector, failure: &str) -> bool {
        self.file == v.file && self.ids.contains(&v.id) && failure.ends_with(&self.failure)
    }
}
