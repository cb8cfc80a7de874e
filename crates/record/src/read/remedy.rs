//! Errors about files, with what to do.

use anyhow::{Result, anyhow, ensure};

/// What to give instead of a file that is not a record; the end of error messages.
pub const REMEDY: &str =
    "give a directory that `--out` of `capvec bench` wrote, its record.json or its results.csv";

/// An error that names its own remedy.
#[derive(Debug)]
pub struct Remedied(pub String);

impl std::fmt::Display for Remedied {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Remedied {}

/// An error about a file, with the remedy at the end, unless the error has its own.
pub fn with_remedy(name: &str, error: &anyhow::Error, remedy: &str) -> anyhow::Error {
    match error.is::<Remedied>() {
        true => anyhow!("{name}: {error:#}"),
        false => anyhow!("{name}: {error:#}; {remedy}"),
    }
}

/// Refuses formats that are newer than this capvec.
///
/// # Errors
/// The format is newer.
pub fn supported(version: u32, newest: u32) -> Result<()> {
    ensure!(
        version <= newest,
        Remedied(format!(
            "its format is version {version}, and this capvec reads versions up to {newest}; use a newer capvec"
        ))
    );
    Ok(())
}
