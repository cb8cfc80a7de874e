//! ML-KEM: keys, encapsulation, decapsulation, and keys that must be refused.

use super::{Limit, Test, start, tests};
use crate::der;
use anyhow::Result;
use capvec_util::fnv;
use std::path::Path;

/// Vectors of each parameter set: generated keys, encapsulations and decapsulations, refused keys.
const KEYS: usize = 3;
const OPERATIONS: usize = 2;
const REFUSED: usize = 3;

pub fn file(dir: &Path, limit: Limit) -> Result<String> {
    let mut file = start(
        "ML-KEM. Keys are PrivateKeyInfo with the expanded key, or SubjectPublicKeyInfo. Seeds are d || z.",
        "ML-KEM-keyGen-FIPS203 and ML-KEM-encapDecap-FIPS203",
        limit,
    );
    let mut record = |t: &Test, suite: &str, operation: &str, fields: &[(&str, String)]| {
        let (algorithm, id) = (t.algorithm(), t.number("tcId"));
        let id = format!("{algorithm}/{suite}/{id}");
        let mut all = vec![("algorithm", algorithm), ("operation", operation.into()), ("id", id)];
        all.extend(fields.iter().cloned());
        file.record(&all.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>());
    };
    let keys = limit.select(tests(dir, "ML-KEM-keyGen-FIPS203")?, KEYS, Test::algorithm);
    for t in keys {
        let seed = [t.bytes("d"), t.bytes("z")].concat();
        let both = [t.bytes("ek"), t.bytes("dk")].concat();
        let fields = [("in", hex::encode(seed)), ("out-fnv1a64", format!("{:016x}", fnv(&both)))];
        record(&t, "keygen", "keygen", &fields);
    }
    // Keys that must be accepted are in the other tests.
    let mut others = tests(dir, "ML-KEM-encapDecap-FIPS203")?;
    others.retain(|t| !t.flag("testPassed"));
    let (refused, right): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|t| t.text("function").ends_with("KeyCheck"));
    let kind = |t: &Test| (t.algorithm(), t.text("function").to_string());
    for t in limit.select(right, OPERATIONS, kind) {
        let last = number(&t);
        let fields = |key: Vec<u8>, input: &str, out: Vec<u8>| {
            [("key", key), ("in", t.bytes(input)), ("out", out)].map(|(n, b)| (n, hex::encode(b)))
        };
        if t.text("function") == "encapsulation" {
            let key = der::ml_kem_public(last, &t.bytes("ek"));
            let out = [t.bytes("c"), t.bytes("k")].concat();
            record(&t, "encaps", "encaps", &fields(key, "m", out));
        } else {
            let key = der::ml_kem_expanded(last, &t.bytes("dk"));
            record(&t, "decaps", "decaps", &fields(key, "c", t.bytes("k")));
        }
    }
    for t in limit.select(refused, REFUSED, kind) {
        let public = t.text("function").starts_with("encaps");
        let (operation, key, len) = match public {
            true => ("encaps", der::ml_kem_public(number(&t), &t.bytes("ek")), 32),
            false => {
                let bytes = t.bytes("dk");
                ("decaps", der::ml_kem_expanded(number(&t), &bytes), ciphertext(&t))
            }
        };
        let fields = [
            ("comment", "the check of the key fails".to_string()),
            ("key", hex::encode(key)),
            ("in", format!("@{len}")),
            ("result", "invalid".into()),
        ];
        record(&t, "check", operation, &fields);
    }
    Ok(file.text())
}

/// The last number of the parameter set's object identifier.
fn number(t: &Test) -> u8 {
    match t.text("parameterSet") {
        "ML-KEM-512" => 1,
        "ML-KEM-768" => 2,
        _ => 3,
    }
}

/// Bytes of a ciphertext (FIPS 203, table 3).
fn ciphertext(t: &Test) -> usize {
    [768, 1088, 1568][usize::from(number(t) - 1)]
}
