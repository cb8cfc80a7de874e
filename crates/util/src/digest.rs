//! Digests: of files, and short ones of bytes.

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

/// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
#[must_use]
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::fnv;

    /// Published test values (draft-eastlake-fnv, appendix C).
    #[test]
    fn fnv_is_that_of_the_draft() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
