//! Digests: of files, and short ones of bytes.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Bytes of a file that are read at once.
const PIECE: usize = 1 << 16;

/// SHA-256 of a file, in hexadecimal. Files may be large, such as a program with debugging information: they are read in pieces.
///
/// # Errors
/// Names the file if it cannot be read.
pub fn digest(path: &Path) -> Result<String> {
    of_file(path).with_context(|| format!("reading {}", path.display()))
}

fn of_file(path: &Path) -> std::io::Result<String> {
    let mut file = BufReader::with_capacity(PIECE, File::open(path)?);
    let mut hasher = Sha256::new();
    loop {
        let piece = file.fill_buf()?;
        if piece.is_empty() {
            return Ok(hex::encode(hasher.finalize()));
        }
        hasher.update(piece);
        let read = piece.len();
        file.consume(read);
    }
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
    use super::{PIECE, digest, fnv};
    use sha2::{Digest, Sha256};

    /// Published test values (draft-eastlake-fnv, appendix C).
    #[test]
    fn fnv_is_that_of_the_draft() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_digest_of_a_file_is_that_of_its_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for len in [0, 1, PIECE - 1, PIECE, 2 * PIECE + 7] {
            let bytes: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            std::fs::write(file.path(), &bytes).unwrap();
            assert_eq!(digest(file.path()).unwrap(), hex::encode(Sha256::digest(&bytes)), "{len}");
        }
        assert!(digest(std::path::Path::new("/nowhere")).is_err());
    }
}
