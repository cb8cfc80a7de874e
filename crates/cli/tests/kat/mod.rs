//! `capvec kat` as a user runs it, on the stock library of the sysroot.

mod failures;

use crate::common::{conforming, finished_runs};
use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;
use std::path::Path;

/// Runs `capvec kat ARGS`, which must exit with `code`; returns standard output and standard error.
fn kat(args: &[&str], code: i32) -> (String, String) {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let output =
        command.args([&["kat", "-q"], args].concat()).assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn json(args: &[&str], code: i32) -> Value {
    conforming("kat", &kat(&[args, &["--format", "json"]].concat(), code).0)
}

/// A directory with one file of vectors.
fn vectors(records: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let head = "format = capvec-vectors 1\norigin = a test\nlicence = none\n\n";
    std::fs::write(dir.path().join("own.txt"), format!("{head}{records}")).unwrap();
    dir
}

fn path(dir: &tempfile::TempDir) -> &str {
    Path::to_str(dir.path()).unwrap()
}

/// Test case 4 of McGrew and Viega, and "abc" of FIPS 180-4.
const GCM: &str = "algorithm = aes-128-gcm\nid = good\nkey = feffe9928665731c6d6a8f9467308308\niv = cafebabefacedbaddecaf888\n\
    aad = feedfacedeadbeeffeedfacedeadbeefabaddad2\nin = d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
    1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39\nout = 42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e\
    2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091\ntag = 5bc94fbc3221a5db94fae95ae7121a47\n";
const ABC: &str = "algorithm = sha256\nid = abc\nin = 616263\n\
    out = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n";

#[test]
fn right_answers_pass_on_every_set_and_policy() {
    let dir = vectors(&format!("{GCM}\n{ABC}"));
    let args = ["--vectors", path(&dir), "--caps", "full", "--vlen", "128,512"];
    let record = json(&args, 0);
    let rows = record["rows"].as_array().unwrap();
    // For each of two algorithms: scalar, and two policies at two VLENs.
    assert_eq!(rows.len(), 2 * (1 + 4));
    for r in rows {
        assert_eq!(
            (&r["passed"], &r["failed"], &r["unlike_scalar"]),
            (&1.into(), &0.into(), &0.into()),
            "{r}"
        );
        assert!(r["checks"].as_u64().unwrap() > 8, "{r}");
    }
    assert_eq!(json(&args, 0), record);
}

#[test]
fn a_single_vector_can_be_checked() {
    let id = "lengths/sha.txt:sha256/in/17";
    let record = json(&["--vector", id, "--caps", "full", "--agnostic", "ones"], 0);
    let rows = record["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|r| r["vectors"] == 1 && r["algorithm"] == "sha256"));
    assert_eq!(rows[1]["agnostic"], "ones");
}

/// One algorithm of every kind; `make kat` checks all.
#[test]
fn built_in_vectors_pass() {
    let of = "sm3,poly1305,aes-128-cbc-pkcs7,aes-128-cfb1,sha512-224,sm2,ml-kem-512";
    let (csv, _) = kat(&["--algorithms", of, "--caps", "full", "--format", "csv"], 0);
    assert_eq!(csv.lines().count(), 1 + 7 * 3, "{csv}");
    assert!(
        csv.starts_with(
            "algorithm,capset,capstring,vlen,agnostic,vectors,checks,passed,failed,known,"
        ),
        "{csv}"
    );
}

#[test]
fn out_receives_all_files() {
    let dir = vectors(ABC);
    let out = dir.path().join("out");
    let args = [
        "--vectors",
        path(&dir),
        "--caps",
        "scalar",
        "--out",
        out.to_str().unwrap(),
        "--format",
        "csv",
    ];
    let (csv, _) = kat(&args, 0);
    assert_eq!(std::fs::read_to_string(out.join("kat.csv")).unwrap(), csv);
    assert!(out.join("kat.json").is_file() && out.join("kat.md").is_file());
}

#[test]
fn usage_errors_name_the_flag() {
    let broken = vectors("algorithm = sha256\nid = 1\nin = 0\n");
    let unknown = vectors("algorithm = sha257\nid = 1\nin = 00\n");
    let lacking = vectors("algorithm = sha256\nid = 1\nin = 00\n");
    let tag = GCM.replace("tag = ", &format!("tag = {}", "00".repeat(65536 - 16)));
    let tagged = vectors(&tag);
    let signed = vectors("algorithm = sha256\nid = 1\nin = @+3\n");
    let twice = vectors(&format!("{ABC}\n{ABC}"));
    let falling = "algorithm = sha256\nid = 1\nlengths = 5-3 3\nout-fnv1a64 = 0000000000000000\n";
    let falling = vectors(falling);
    let cases: [(&[&str], &str); 13] = [
        (&["--vectors", path(&signed)], "own.txt, line 7: in: @+3: no length"),
        (
            &["--vectors", path(&twice)],
            "own.txt, line 10: id abc is already used by the record at line 5",
        ),
        (&["--vectors", path(&falling)], "own.txt, line 5: lengths = 5-3 3: 5-3 begins with"),
        (&["--vectors", path(&lacking)], "own.txt, line 5: vector 1: the record lacks out"),
        (&["--vectors", path(&tagged)], "own.txt, line 12: tag: longer than 64 bytes"),
        (&["--algorithms", "aes-127"], "--algorithms aes-127"),
        (&["--caps", "zvknedd"], "zvknedd"),
        (&["--vlen", "100"], "--vlen"),
        (&["--agnostic", "zeros"], "--agnostic"),
        (&["--vector", "nowhere:1"], "--vector nowhere:1"),
        (&["--vectors", "/nonexistent"], "--vectors"),
        (&["--vectors", path(&broken)], "own.txt, line 7: in"),
        (&["--vectors", path(&unknown)], "sha257"),
    ];
    for (args, needle) in cases {
        let (stdout, stderr) = kat(args, 2);
        assert!(stdout.is_empty() && stderr.contains(needle), "{args:?}: {stderr}");
    }
}

#[test]
fn the_summary_says_what_ran() {
    let dir = vectors(ABC);
    let args = ["--vectors", path(&dir), "--caps", "full,v", "--vlen", "128,512"];
    let (stdout, _) = kat(&args, 0);
    let ran = "Ran on sim: 1 capability set without V, 2 with V, at VLEN 128, 512, with agnostic elements undisturbed, ones. \
        Equal to the scalar path, byte for byte and refusal for refusal: 8 of 8 vectors on other sets.";
    assert!(stdout.contains(ran), "{stdout}");
    let (stdout, _) = kat(&["--vectors", path(&dir), "--caps", "scalar"], 0);
    assert!(stdout.contains("Nothing to compare with the scalar path"), "{stdout}");
}

#[cfg(unix)]
#[test]
fn a_loop_of_symbolic_links_is_named() {
    let dir = vectors(ABC);
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    std::os::unix::fs::symlink("..", dir.path().join("sub/up")).unwrap();
    let (_, stderr) = kat(&["--vectors", path(&dir)], 2);
    assert!(
        stderr.contains("--vectors") && stderr.contains("sub/up is a symbolic link"),
        "{stderr}"
    );
}

#[test]
fn an_interrupted_run_resumes_with_the_same_results() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let args = ["--algorithms", "sm3", "--caps", "full,v", "--format", "csv"];
    let with_out = [&args[..], &["--out", out.to_str().unwrap()]].concat();
    let mut child = std::process::Command::cargo_bin("capvec")
        .unwrap()
        .args([&["kat", "-q"], &with_out[..]].concat())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while finished_runs(&out) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // With other vectors it is another run: it is refused, and nothing is lost.
    let other = ["--algorithms", "hmac-sm3", "--out", out.to_str().unwrap()];
    let (_, stderr) = kat(&other, 2);
    assert!(stderr.contains("the vectors") && stderr.contains("runs"), "{stderr}");
    let (resumed, stderr) = kat(&with_out, 0);
    assert!(stderr.contains("resuming"), "{stderr}");
    assert!(!out.join("runs").exists());
    assert_eq!(resumed, kat(&args, 0).0);
}
