//! What the stock library is known to fail: `vectors/openssl.toml`.

use super::format::Vector;
use crate::run::Runner;
use crate::subject::Subject;
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
    /// Library.
    pub subject: String,
    /// Its series that it is known of: `3.5` is 3.5.0 and all that are patched from it.
    pub series: Vec<String>,
    /// File of the vectors.
    pub file: String,
    /// Their names.
    pub ids: Vec<String>,
    /// The failure, as told: with the operation and the form.
    pub failure: String,
    /// Why it fails, with its source.
    pub why: String,
}

/// What is known of the library that `runner` checks.
///
/// # Errors
/// As [`Runner::version`]; or the file is broken.
pub fn of(runner: &Runner) -> Result<Vec<Known>> {
    match runner.target().subject() {
        Subject::OpenSsl => known(runner.version()?),
        Subject::Capvec => Ok(Vec::new()),
    }
}

/// What is known of OpenSSL of this version, such as `3.5.7`.
///
/// # Errors
/// The file is broken.
fn known(version: &str) -> Result<Vec<Known>> {
    let file: File = toml::from_str(TEXT).context("vectors/openssl.toml")?;
    Ok(file.known.into_iter().filter(|k| k.is_of(version)).collect())
}

impl Known {
    fn is_of(&self, version: &str) -> bool {
        let of = |s: &String| version.strip_prefix(s.as_str()).is_some_and(|r| r.starts_with('.'));
        self.series.iter().any(of)
    }

    /// Whether this failure of this vector is the known one.
    pub fn is(&self, v: &Vector, failure: &str) -> bool {
        self.file == v.file && self.ids.contains(&v.id) && failure == self.failure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_one_of_its_series_only() {
        let n = |version: &str| known(version).unwrap().len();
        assert!(n("3.5.7") > 0 && n("3.5.7") == n("3.5.0"));
        for other in ["3.4.1", "3.50.1", "3.5", "4.0.0", ""] {
            assert_eq!(n(other), 0, "{other}");
        }
    }
}
