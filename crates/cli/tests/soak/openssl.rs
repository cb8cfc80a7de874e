//! OpenSSL built from its own sources with one file replaced, as docs/drafts.md and docs/explore.md show. The environment variable
//! `OPENSSL_SOURCE` names an archive of OpenSSL, which replaces Debian's source package.

use crate::common::{capvec, conforming, output};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path)
}

/// Builds OpenSSL with files of one's own.
fn build(name: &str, variant: &str, files: &[(&str, &str, &Path)]) {
    let mut build = capvec();
    build.args([
        "build",
        "openssl",
        "-q",
        "--arch",
        "riscv64",
        "--name",
        name,
        "--variant",
        variant,
    ]);
    for (flag, inside, own) in files {
        build.args([*flag, &format!("{inside}={}", own.display())]);
    }
    if let Ok(source) = std::env::var("OPENSSL_SOURCE") {
        build.args(["--source", &source]);
    }
    build.assert().success();
}

/// What explore finds. Known answers are part of it: if one is wrong, the status is 1.
fn explored(arguments: &[&str]) -> Vec<Value> {
    let mut explore = capvec();
    explore.args(["explore", "-q", "--format", "json"]).args(arguments);
    let found = conforming("explore", &output(&mut explore, 0).0);
    found["points"].as_array().expect("points").clone()
}

/// The number of instructions without an extension divided by that with it, for each operation of a case.
fn ratios(points: &[Value], with: &str, case: &str) -> Vec<f64> {
    let insns = |with: &str| -> Vec<f64> {
        let own = points.iter().filter(|p| p["with"] == with && p["price"] == "core");
        own.filter(|p| p["case"] == case).filter_map(|p| p["insns"].as_f64()).collect()
    };
    let (without, with) = (insns(""), insns(with));
    assert!(!with.is_empty() && with.len() == without.len(), "{case}: {points:#?}");
    without.into_iter().zip(with).map(|(without, with)| without / with).collect()
}

/// Everything above SHA-3 stays OpenSSL's own, and gives the known answers with `vkeccak.vi` and without.
#[test]
#[ignore = "minutes; run by `make soak`"]
fn openssl_with_vkeccak() {
    let own = example("openssl-vkeccak/keccak1600.c");
    build("soak-vkeccak", "asm", &[("--replace", "crypto/sha/keccak1600.c", &own)]);
    let points = explored(&[
        "--with",
        "zvknhk0p2",
        "--subject",
        "openssl:soak-vkeccak",
        "--latency",
        "24",
        "--vlen",
        "256",
        "--cases",
        "sha3-256,slh-dsa-shake-128f,ml-kem-768",
    ]);
    // From the table of docs/drafts.md, which was measured with another version of OpenSSL.
    for (case, least) in [("sha3-256", 8.0), ("slh-dsa-shake-128f", 7.0), ("ml-kem-768", 1.1)] {
        for ratio in ratios(&points, "zvknhk0p2", case) {
            assert!(ratio > least, "{case}: {ratio}");
        }
    }
}

/// An instruction of one's own, from its file to its gain.
#[test]
#[ignore = "minutes; run by `make soak`"]
fn openssl_with_an_instruction_of_ones_own() {
    let file = example("instructions/xrotxor.toml");
    let file = file.to_str().expect("UTF-8");
    let header = tempfile::NamedTempFile::new().expect("a file");
    let text = output(capvec().args(["isa", "header", file]), 0).0;
    std::fs::write(header.path(), text).expect("written");
    let own = example("openssl-rotxor/sha256.c");
    let files = [
        ("--replace", "crypto/sha/sha256.c", own.as_path()),
        ("--add", "crypto/sha/xrotxor.h", header.path()),
    ];
    build("soak-rotxor", "no-asm", &files);
    let points = explored(&[
        "--isa-file",
        file,
        "--with",
        "xrotxor",
        "--subject",
        "openssl:soak-rotxor",
        "--core",
        "ux900",
        "--cases",
        "sha256",
        "--latency",
        "2",
        "--vlen",
        "128",
    ]);
    // 1.56 on docs/explore.md.
    let [ratio] = ratios(&points, "xrotxor", "sha256")[..] else { panic!("{points:#?}") };
    assert!((1.5..1.65).contains(&ratio), "{ratio}");
}
