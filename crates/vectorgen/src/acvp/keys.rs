//! ML-DSA and SLH-DSA: keys, and pure signatures as libraries make and verify them by default. `signature.rs` has the others.

use super::{Limit, Test, start, tests};
use crate::der;
use anyhow::Result;
use capvec_util::fnv;
use std::path::Path;

/// Vectors of each parameter set: generated keys, signatures that are made, accepted, refused.
const KEYS: usize = 3;
const SIGNED: usize = 2;
const ACCEPTED: usize = 1;
const REFUSED: usize = 4;
/// Of SLH-DSA, whose signatures are long.
const HASHES: usize = 1;
/// Parameter sets of SLH-DSA that also get refused signatures and, if signing is fast, made ones.
const SHORT: [&str; 4] =
    ["slh-dsa-sha2-128s", "slh-dsa-sha2-128f", "slh-dsa-shake-128s", "slh-dsa-shake-128f"];

/// A field of a vector: its name and its value.
type Field = (&'static str, String);

pub fn file(dir: &Path, limit: Limit, family: &str, standard: &str) -> Result<String> {
    let upper = family.to_ascii_uppercase();
    let suite = |mode: &str| format!("{upper}-{mode}-{standard}");
    let mut file = start(
        &format!(
            "{upper}: keys and pure signatures. Keys are PrivateKeyInfo with the expanded key, or SubjectPublicKeyInfo; `iv` is the \
             context. Made signatures are deterministic."
        ),
        &format!("{}, {}, {}", suite("keyGen"), suite("sigGen"), suite("sigVer")),
        limit,
    );
    let mut record = |t: &Test, operation: &str, fields: &[Field]| {
        let (algorithm, id) = (t.algorithm(), t.number("tcId"));
        let id = format!("{algorithm}/{operation}/{id}");
        let mut all = vec![("algorithm", algorithm), ("operation", operation.into()), ("id", id)];
        all.extend(fields.iter().cloned());
        file.record(&all.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>());
    };
    let hashes = family == "slh-dsa";
    let fast = |t: &Test| limit.all || !hashes || t.algorithm().ends_with('f');
    let short = |t: &Test| limit.all || !hashes || SHORT.contains(&t.algorithm().as_str());
    let pure = |t: &Test| t.text("preHash") == "pure";

    let mut keys = tests(dir, &suite("keyGen"))?;
    keys.retain(fast);
    for t in limit.select(keys, KEYS, Test::algorithm) {
        record(&t, "keygen", &keygen(&t));
    }
    let mut made = tests(dir, &suite("sigGen"))?;
    made.retain(|t| pure(t) && t.flag("deterministic") && fast(t) && short(t));
    for t in limit.select(made, if hashes { HASHES } else { SIGNED }, Test::algorithm) {
        record(&t, "sign", &sign(&t));
    }
    let mut verified = tests(dir, &suite("sigVer"))?;
    verified.retain(|t| pure(t) && (t.flag("testPassed") || short(t)));
    let (right, wrong): (Vec<_>, Vec<_>) = verified.into_iter().partition(|t| t.flag("testPassed"));
    let most = if hashes { HASHES } else { REFUSED };
    let right = limit.select(right, ACCEPTED, Test::algorithm);
    for t in right.into_iter().chain(limit.select(wrong, most, Test::algorithm)) {
        record(&t, "verify", &verify(&t));
    }
    Ok(file.text())
}

fn keygen(t: &Test) -> [Field; 2] {
    let seeds = ["seed", "skSeed", "skPrf", "pkSeed"].map(|name| t.bytes(name)).concat();
    let both = [t.bytes("pk"), t.bytes("sk")].concat();
    [("in", hex::encode(seeds)), ("out-fnv1a64", format!("{:016x}", fnv(&both)))]
}

fn sign(t: &Test) -> [Field; 4] {
    let key = der::signature_private(number(t), &t.bytes("sk"));
    [
        ("key", hex::encode(key)),
        ("iv", hex::encode(t.bytes("context"))),
        ("in", hex::encode(t.bytes("message"))),
        ("out-fnv1a64", format!("{:016x}", fnv(&t.bytes("signature")))),
    ]
}

fn verify(t: &Test) -> [Field; 5] {
    let key = der::signature_public(number(t), &t.bytes("pk"));
    [
        ("key", hex::encode(key)),
        ("iv", hex::encode(t.bytes("context"))),
        ("in", hex::encode(t.bytes("message"))),
        ("out", hex::encode(t.bytes("signature"))),
        ("result", if t.flag("testPassed") { String::new() } else { "invalid".into() }),
    ]
}

/// The last number of the object identifier (NIST CSOR, sigAlgs): sets of each kind follow each other.
fn number(t: &Test) -> u8 {
    const SETS: [&str; 15] = [
        "ml-dsa-44",
        "ml-dsa-65",
        "ml-dsa-87",
        "slh-dsa-sha2-128s",
        "slh-dsa-sha2-128f",
        "slh-dsa-sha2-192s",
        "slh-dsa-sha2-192f",
        "slh-dsa-sha2-256s",
        "slh-dsa-sha2-256f",
        "slh-dsa-shake-128s",
        "slh-dsa-shake-128f",
        "slh-dsa-shake-192s",
        "slh-dsa-shake-192f",
        "slh-dsa-shake-256s",
        "slh-dsa-shake-256f",
    ];
    (17..).zip(SETS).find(|(_, set)| *set == t.algorithm()).map_or(0, |(n, _)| n)
}
