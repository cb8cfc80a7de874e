//! Digests of files.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::path::Path;

/// SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// Names the file if it cannot be read.
pub fn digest(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    Ok(hex::encode(Sha256::digest(bytes)))
}
