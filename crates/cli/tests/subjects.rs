//! `--subject`: builds of the library in the simulator.

use crate::common;
use assert_cmd::Command;
use capvec_sysroot::Store;
use std::os::unix::fs::symlink;
use std::path::Path;

const CASES: [&str; 4] = ["--cases", "sha256", "--caps", "scalar,zvkb_zvknha"];

fn capvec(home: &Path, args: &[&str]) -> Command {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    c.env("CAPVEC_HOME", home).args(args);
    c
}

fn stdout(home: &Path, args: &[&str]) -> String {
    let out = capvec(home, args).assert().success();
    String::from_utf8(out.get_output().stdout.clone()).expect("UTF-8")
}

/// A store with the contents of the usual one, and a copy of the stock library as the build `riscv64-copy`.
pub fn store() -> tempfile::TempDir {
    let mut set_up = Command::cargo_bin("capvec").expect("the program is built");
    set_up.args(["bench", "-q", "--setup-only"]).assert().success();
    let usual = Store::from_env().expect("a store");
    let root = usual.get("trixie-riscv64").expect("the sysroot").root;
    let home = tempfile::tempdir().expect("a directory");
    for entry in std::fs::read_dir(usual.home()).expect("a directory").flatten() {
        let own = ["lock", "builds"].iter().any(|n| entry.file_name() == *n);
        if !own {
            symlink(entry.path(), home.path().join(entry.file_name())).expect("a link");
        }
    }
    let build = home.path().join("builds/riscv64-copy");
    std::fs::create_dir_all(&build).expect("a directory");
    let library = root.join("usr/lib/riscv64-linux-gnu/libcrypto.so.3");
    std::fs::copy(library, build.join("libcrypto.so.3")).expect("a copy");
    let manifest = r#"{ "name": "riscv64-copy", "architecture": "riscv64", "source": "a copy" }"#;
    std::fs::write(build.join("build.json"), manifest).expect("a file");
    home
}

#[test]
fn a_build_is_measured_and_checked_in_the_simulator() {
    let home = store();
    let file = home.path().join("builds/riscv64-copy/libcrypto.so.3");
    let file = file.to_str().expect("UTF-8");
    let subjects = format!("openssl,openssl:copy,{file}");
    let both = ["bench", "-q", "--subject", &subjects, "--format", "json"];
    let record = stdout(home.path(), &[&both[..], &CASES].concat());
    let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    assert_eq!(record["builds"][0]["name"], "riscv64-copy");
    let rows = record["rows"].as_array().expect("a list");
    let insns = |subject: &str, set: &str| {
        let of = |r: &&serde_json::Value| r["subject"] == subject && r["capset"] == set;
        let row = rows.iter().find(of).unwrap_or_else(|| panic!("{subject} {set}"));
        assert_eq!(row["answers"], "pass");
        row["insns_per_op"].as_f64().expect("a number")
    };
    // Only the stock library has published figures.
    for row in rows {
        assert_eq!(row["published_kBps"].is_number(), row["subject"] == "openssl", "{row}");
    }
    // It is the same library under each name.
    for set in ["scalar", "zvkb_zvknha"] {
        let (stock, copy) = (insns("openssl", set), insns("openssl:riscv64-copy", set));
        assert!((copy / stock - 1.0).abs() < 1e-3, "{set}: {stock} {copy}");
        assert_eq!(insns(file, set), copy, "{set}");
    }
    let checked = [
        "kat",
        "-q",
        "--subject",
        "openssl:riscv64-copy",
        "--algorithms",
        "sha256",
        "--caps",
        "full",
    ];
    assert!(stdout(home.path(), &checked).contains("sha256"));
    // A build for another architecture is refused.
    std::fs::copy("/proc/self/exe", home.path().join("builds/riscv64-copy/libcrypto.so.3"))
        .expect("a copy");
    let refused = capvec(home.path(), &[&both[..], &CASES].concat()).assert().code(2);
    let err = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(err.contains("--subject openssl:riscv64-copy: it is built for"), "{err}");
}

#[test]
fn unknown_subjects_are_usage_errors_that_say_what_to_do() {
    let home = tempfile::tempdir().expect("a directory");
    for (name, words) in [
        ("openssl:nothing-like-it", "capvec build openssl --arch riscv64 --variant VARIANT"),
        ("libressl", "openssl:NAME (made by `capvec build openssl`)"),
        ("openssl:", "--subject openssl:"),
    ] {
        for command in ["bench", "kat"] {
            let out = capvec(home.path(), &[command, "--subject", name]).assert().code(2);
            let err = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
            assert!(
                err.contains("--subject") && err.contains(name) && err.contains(words),
                "{command}: {err}"
            );
        }
    }
}

/// Each figure rests on known answers, what the library lacks is named, and equal counts show that it uses no extension.
#[test]
fn packaged_libraries_are_measured_next_to_openssl() {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let cases = ["--cases", "sha256,sm3", "--caps", "scalar,full", "--bytes", "1024"];
    let subjects = "openssl,nettle,gnutls,libgcrypt,libsodium,mbedtls";
    let (json, said) = common::output(
        c.args(["bench", "-q", "--format", "json", "--subject", subjects]).args(cases),
        0,
    );
    let record = common::conforming("record", &json);
    let rows = record["rows"].as_array().expect("a list");
    for (subject, version, cases) in [
        ("nettle", "nettle 3.", &["sha256", "sm3"][..]),
        ("gnutls", "GnuTLS 3.", &["sha256"]),
        ("libgcrypt", "libgcrypt 1.", &["sha256", "sm3"]),
        ("libsodium", "libsodium 1.", &["sha256"]),
        ("mbedtls", "Mbed TLS 3.", &["sha256"]),
    ] {
        for case in cases {
            let own = rows.iter().filter(|r| r["subject"] == subject && r["case"] == *case);
            let own: Vec<_> = own.collect();
            assert_eq!(own.len(), 2, "{subject} {case} with two sets");
            for row in &own {
                assert_eq!(row["answers"], "pass", "{subject}");
                assert_eq!(row["insns_per_op"], own[0]["insns_per_op"], "{subject}");
                assert!(row["version"].as_str().expect("a version").starts_with(version));
            }
        }
        let none = format!("{subject} uses none of the core's extensions");
        assert!(said.contains(&none), "{said}");
    }
    let lacks = ["gnutls", "libsodium", "mbedtls"]
        .map(|subject| serde_json::json!({ "subject": subject, "cases": ["sm3"] }));
    assert_eq!(record["not_offered"], serde_json::json!(lacks));
    let packages = record["packages"].as_array().expect("a list");
    let from =
        |name: &str| packages.iter().any(|p| p.as_str().is_some_and(|p| p.starts_with(name)));
    assert!(from("libnettle8t64 ") && from("openssl "), "{packages:?}");
    assert!(said.contains("gnutls does not offer sm3"), "{said}");
    assert!(!said.contains("openssl uses none"), "{said}");
}

/// Answers are right, also for messages in pieces, and equal counts show that threads of Go's runtime are not counted.
#[test]
#[ignore = "minutes, in which the guest compiles Go's packages: make test-long"]
fn go_is_measured_next_to_openssl() {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let args = ["bench", "-q", "--format", "json", "--subject", "openssl,go:crypto"];
    let cases = ["--cases", "sha256,aes-128-gcm,chacha20", "--caps", "scalar,full"];
    let (json, said) = common::output(c.args(args).args(cases), 0);
    let record = common::conforming("record", &json);
    let rows = record["rows"].as_array().expect("a list").iter();
    let own: Vec<_> = rows.filter(|r| r["subject"] == "go:crypto").collect();
    assert_eq!(own.len(), 6, "SHA-256, AES-128-GCM in both directions, with two sets");
    for row in own {
        assert_eq!(row["answers"], "pass");
        assert!(row["version"].as_str().expect("a version").starts_with("Go 1."), "{row}");
    }
    assert!(said.contains("go:crypto does not offer chacha20"), "{said}");
    assert!(said.contains("go:crypto uses none of the core's extensions"), "{said}");
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let kat = ["kat", "-q", "--subject", "go:crypto", "--caps", "scalar", "--algorithms"];
    common::output(c.args(kat).arg("aes-128-gcm,gmac,aes-128-ctr,sha3-256"), 0);
}

/// Answers are right, also those of compiled code, and the compiled code is what is measured: interpreted code takes more than 1,000
/// instructions per byte.
#[test]
#[ignore = "minutes, and a JDK of 300 MB: make test-long"]
fn java_is_measured() {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let args = ["bench", "-q", "--format", "json", "--subject", "java:jca", "--caps", "scalar"];
    let (json, said) = common::output(c.args(args).args(["--cases", "aes-128-gcm,sha256,sm3"]), 0);
    let record = common::conforming("record", &json);
    let rows = record["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 3, "SHA-256, and AES-128-GCM in both directions");
    for row in rows {
        assert_eq!(row["answers"], "pass", "{row}");
        assert!(row["version"].as_str().expect("a version").starts_with("OpenJDK "), "{row}");
        assert!(row["insns_per_byte"].as_f64().is_some_and(|n| n < 500.0), "{row}");
    }
    assert!(said.contains("java:jca does not offer sm3"), "{said}");
}

/// Answers are right, and with all extensions, what a message costs dominates, but not by far. That takes compiled code.
#[test]
#[ignore = "a minute, and Node's package of 60 MB: make test-long"]
fn node_is_measured() {
    let mut c = Command::cargo_bin("capvec").expect("the program is built");
    let args = ["bench", "-q", "--format", "json", "--subject", "node:crypto", "--caps", "auto"];
    let (json, said) =
        common::output(c.args(args).args(["--cases", "aes-128-gcm,sha256,ghash"]), 0);
    let record = common::conforming("record", &json);
    let rows = record["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 3, "SHA-256, and AES-128-GCM in both directions");
    for row in rows {
        assert_eq!(row["answers"], "pass", "{row}");
        assert!(row["version"].as_str().expect("a version").starts_with("Node "), "{row}");
        assert!(row["insns_per_byte"].as_f64().is_some_and(|n| n < 12.0), "{row}");
    }
    assert!(said.contains("node:crypto does not offer ghash"), "{said}");
}

#[test]
fn what_a_packaged_library_cannot_do_is_refused() {
    for (arguments, words) in [
        (&["bench", "--cases", "ml-kem-768"][..], "nettle offers none of these: ml-kem-768"),
        (&["bench", "--cases", "tls13-x25519-p256-aes128gcm"], "nettle offers none of these"),
        (&["bench", "--target", "native"], "--target sim can"),
        (&["kat", "--algorithms", "ed25519"], "there are no vectors for these algorithms"),
        (&["explore", "--with", "zvkg", "--cases", "ml-kem-768"], "does not offer ml-kem-768"),
        (&["doctor"], "capvec doctor --package libnettle8t64"),
    ] {
        let mut c = Command::cargo_bin("capvec").expect("the program is built");
        let (_, said) = common::output(c.args(arguments).args(["--subject", "nettle"]), 2);
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn a_file_that_cannot_be_put_into_a_source_is_a_usage_error() {
    let home = tempfile::tempdir().expect("a directory");
    let tree = tempfile::tempdir().expect("a directory");
    std::fs::write(tree.path().join("Configure"), "").expect("a file");
    let source = tree.path().to_str().expect("UTF-8");
    let own = tree.path().join("Configure").to_str().expect("UTF-8").to_string();
    for (given, words) in [
        ("crypto/a.c".to_string(), "write FILE=OWN"),
        ("crypto/a.c=missing.c".to_string(), "OWN is not a file"),
        (format!("../a.c={own}"), "inside the source tree"),
    ] {
        for flag in ["--replace", "--add"] {
            let arguments =
                ["build", "openssl", "--arch", "riscv64", "--source", source, flag, &given];
            let out = capvec(home.path(), &arguments).assert().code(2);
            let err = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
            assert!(err.contains(flag) && err.contains(words), "{flag} {given}: {err}");
        }
    }
}
