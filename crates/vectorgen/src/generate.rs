//! All generated files.

use crate::{instructions, lengths, published, write, wycheproof};
use anyhow::Result;
use std::path::PathBuf;

/// The repository's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Path and new contents of every file that is out of date.
///
/// # Errors
/// A source cannot be read.
pub fn drifted() -> Result<Vec<(String, String)>> {
    let mut files = wycheproof::files()?;
    files.extend(lengths::files()?);
    files.extend(published::files()?);
    // New files do not exist yet and must be listed, too.
    let new = files.iter().map(|(path, _)| path.clone());
    files.push(write::list(&root(), new)?);
    // Not for `capvec kat`, which tests libraries.
    files.extend(instructions::files());
    let current = |path: &str| std::fs::read_to_string(root().join(path)).unwrap_or_default();
    files.retain(|(path, text)| current(path) != *text);
    Ok(files)
}
