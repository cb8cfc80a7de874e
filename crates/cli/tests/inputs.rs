//! Wrong arguments: errors name the flag and suggest what was probably meant, and nothing panics.

use crate::common::capvec;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;

/// Runs `capvec ARGS`, which must exit with status 2; returns standard error.
fn refused(args: &[&str]) -> String {
    let out = capvec().args(args).assert().code(2).get_output().clone();
    assert!(out.stdout.is_empty(), "{args:?}");
    String::from_utf8(out.stderr).unwrap()
}

#[test]
fn errors_suggest_what_was_probably_meant() {
    let wrong: &[(&[&str], &[&str])] = &[
        (&["bench", "--cases", "aes-128-gmc"], &["--cases", "did you mean aes-128-gcm?"]),
        (&["bench", "--cases", "sha256,"], &["--cases sha256,: a name is missing after the comma"]),
        (&["bench", "--cases", ","], &["--cases ,: a name is missing before the comma"]),
        (&["bench", "--caps", "zvkned,"], &["--caps zvkned,: a name is missing after the comma"]),
        (&["kat", "--caps", ",full"], &["--caps ,full: a name is missing before the comma"]),
        (&["bench", "--cases", ""], &["--cases \"\": it names nothing", "--list"]),
        (&["bench", "--caps", ""], &["--caps \"\": it names nothing", "--help"]),
        (&["kat", "--algorithms", " "], &["--algorithms \" \": it names nothing", "--list"]),
        (
            &["bench", "--cases", "P-256"],
            &[
                "did you mean ecdsa-p256, ecdh-p256, tls13-x25519-p256-aes128gcm, tls13-x25519-p256-chacha20?",
            ],
        ),
        (&["bench", "--subject", "openssl:\u{1b}"], &["--subject openssl:", "unlike \"\\u001b\""]),
        (&["bench", "--target", "qemu:"], &["--target", "name the architecture"]),
        (&["bench", "--set", "=4"], &["--set", "the key is missing"]),
        (&["doctor", "--env", "FOO"], &["--env FOO: it has no value", "OPENSSL_riscvcap=VALUE"]),
        (&["run", "--env", "FOO", "true"], &["--env", "it has no value", "FOO=1"]),
        (
            &["build", "openssl", "--arch", "riscv64", "--source", "/nonexist"],
            &["--source /nonexist"],
        ),
        (&["bench", "--caps", "scaler"], &["--caps", "did you mean scalar?"]),
        (&["bench", "--bytes", "16kB"], &["--bytes", "16k", "from 1 to 1G"]),
        (&["doctor", "--bytes", "16q"], &["--bytes", "from 16 to 1G"]),
        (&["kat", "--algorithms", "AES-128-GMC"], &["--algorithms", "did you mean aes-128-gcm?"]),
        (&["kat", "--cases", "nope"], &["--cases nope: no such algorithm", "`capvec kat --help`"]),
        (&["doctor", "--cases", "nope"], &["--cases nope: no such case"]),
        (&["doctor", "--cases", "a,"], &["--cases a,: a name is missing after"]),
        (&["kat", "--cases", "a", "--algorithms", "a"], &["--cases", "cannot be used with"]),
        (&["doctor", "--algorithms", "sha265"], &["--algorithms", "did you mean sha256?"]),
        (
            &["explore", "--with", "zvknhk0p2", "--algorithms", "sha265"],
            &["capvec: --algorithms sha265: no such algorithm"],
        ),
        (&["run", "--isa", "rv64gc_zfh", "true"], &["--isa", "does not model zfh"]),
        (&["run", "--memory", "4X", "true"], &["--memory", "above 0", "512M"]),
        (&["build", "openssl", "--arch", "riscv64", "--name", "../x"], &["--name ../x"]),
        (&["isa", "vadd"], &["vadd.vv"]),
        (&["isa", "zvkend"], &["did you mean zvkned?"]),
    ];
    for (args, words) in wrong {
        let message = refused(args);
        assert!(words.iter().all(|w| message.contains(w)), "{args:?}: {message}");
        assert!(message.len() < 500, "{args:?}: {message}");
    }
}

#[test]
fn a_name_that_is_not_utf8_is_named_with_its_flag() {
    let bad = OsStr::from_bytes(b"x\xff");
    for (args, flag) in [
        (&["bench", "--core"][..], "--core"),
        (&["kat", "--algorithms"], "--algorithms"),
        (&["run", "--bind"], "--bind"),
        (&["isa"], "\"x\\xFF\""),
    ] {
        let out = capvec().args(args).arg(bad).assert().code(2).get_output().clone();
        let message = String::from_utf8(out.stderr).unwrap();
        assert!(message.contains(flag) && message.contains("not UTF-8"), "{args:?}: {message}");
        let takes_files = ["--core", "--bind"].contains(&flag);
        assert_eq!(message.contains("a link"), takes_files, "{args:?}: {message}");
    }
}

/// Directories may have any name.
#[test]
fn records_are_written_where_the_path_is_not_utf8() {
    let dir = tempfile::tempdir().unwrap();
    for (args, file) in [
        (
            &[
                "bench", "-q", "--cases", "SHA-256", "--bytes", "64B", "--caps", "scalar", "--kat",
                "none",
            ][..],
            "record.json",
        ),
        (
            &["kat", "-q", "--algorithms", "SHA256", "--caps", "scalar", "--agnostic", "ones"],
            "kat.json",
        ),
    ] {
        let mut out = OsString::from(dir.path().join(args[0]));
        out.push(OsStr::from_bytes(b"\xff"));
        capvec().args(args).arg("--out").arg(&out).assert().success();
        assert!(std::path::Path::new(&out).join(file).exists(), "{args:?}");
        if args[0] == "bench" {
            let page = dir.path().join(OsStr::from_bytes(b"p\xff.html"));
            capvec().arg("report").arg(&out).arg("-o").arg(&page).assert().success();
            capvec().arg("compare").arg(&out).arg(&out).assert().success();
            assert!(page.exists());
        }
    }
}
