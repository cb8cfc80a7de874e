//! OpenSSL built from its own sources with one file replaced, as docs/drafts.md shows.

use crate::common::{capvec, conforming, output};
use std::path::Path;

/// Everything above SHA-3 stays OpenSSL's own, and gives the known answers with `vkeccak.vi` and without. The environment variable
/// `OPENSSL_SOURCE` names an archive of OpenSSL, which replaces Debian's source package.
#[test]
#[ignore = "minutes; run by `make soak`"]
fn openssl_with_vkeccak() {
    let own =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/openssl-vkeccak/keccak1600.c");
    let replace = format!("crypto/sha/keccak1600.c={}", own.display());
    let mut build = capvec();
    build.args(["build", "openssl", "-q", "--arch", "riscv64", "--name", "soak-vkeccak"]);
    build.args(["--replace", &replace]);
    if let Ok(source) = std::env::var("OPENSSL_SOURCE") {
        build.args(["--source", &source]);
    }
    build.assert().success();
    let cases = "sha3-256,slh-dsa-shake-128f,ml-kem-768";
    let mut explore = capvec();
    explore.args(["explore", "-q", "--with", "zvknhk0p2", "--subject", "openssl:soak-vkeccak"]);
    explore.args(["--cases", cases, "--latency", "24", "--vlen", "256", "--format", "json"]);
    // Known answers are part of it: if one is wrong, the status is 1.
    let explored = conforming("explore", &output(&mut explore, 0).0);
    let points = explored["points"].as_array().expect("points");
    let insns = |with: &str, case: &str| -> Vec<f64> {
        let own = points.iter().filter(|p| p["with"] == with && p["price"] == "core");
        own.filter(|p| p["case"] == case).filter_map(|p| p["insns"].as_f64()).collect()
    };
    // The table of docs/drafts.md, which is of another version of OpenSSL.
    for (case, least) in [("sha3-256", 8.0), ("slh-dsa-shake-128f", 7.0), ("ml-kem-768", 1.1)] {
        let (without, with) = (insns("", case), insns("zvknhk0p2", case));
        assert!(!with.is_empty() && with.len() == without.len(), "{case}: {points:#?}");
        for (without, with) in without.into_iter().zip(with) {
            assert!(without / with > least, "{case}: {without} and {with} instructions");
        }
    }
}
