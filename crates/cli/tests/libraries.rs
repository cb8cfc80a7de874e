//! The harnesses and programs of examples/libraries with the libraries of Debian.

use crate::measure::measure;
use assert_cmd::Command;
use std::path::Path;

/// The libraries of docs/libraries.md, of Debian: every known answer is right, and neither library uses an extension.
#[test]
#[ignore = "minutes, and packages: make test-long"]
fn nettle_and_libgcrypt_use_no_extension() {
    let capvec = || Command::cargo_bin("capvec").expect("the program is built");
    let name = "capvec-tests-libraries";
    let add = ["sysroot", "add", "--name", name, "nettle-dev", "libgcrypt20-dev"];
    let path = capvec().args(add).assert().success().get_output().stdout.clone();
    let root = Path::new(std::str::from_utf8(&path).expect("UTF-8").trim()).join("usr");
    let (lib, include) = (root.join("lib/riscv64-linux-gnu"), root.join("include"));
    let dir = tempfile::tempdir().expect("a directory");
    let copied = dir.path().join("include");
    let own = include.join("riscv64-linux-gnu");
    std::fs::create_dir_all(copied.join("nettle")).expect("a directory");
    let headers = [(include.join("nettle"), "nettle"), (include, ""), (own, "")];
    for (from, to) in headers {
        for entry in std::fs::read_dir(from).expect("a directory").flatten() {
            let file = entry.file_name();
            let shown = file.to_string_lossy();
            if to == "nettle" || shown.starts_with("gpg") || shown == "gcrypt.h" {
                std::fs::copy(entry.path(), copied.join(to).join(file)).expect("a copy");
            }
        }
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/libraries");
    for (harness, archives) in
        [("nettle.c", &["libnettle.a"][..]), ("gcrypt.c", &["libgcrypt.a", "libgpg-error.a"])]
    {
        let files =
            [examples.join(harness)].into_iter().chain(archives.iter().map(|a| lib.join(a)));
        let files: Vec<String> = files.map(|f| f.display().to_string()).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let flags =
            ["-I", "include", "--caps", "scalar,auto", "--bytes", "1024", "--format", "json"];
        let (json, error, code) = measure(dir.path(), &[&files[..], &flags].concat());
        assert_eq!(code, Some(0), "{error}");
        let record: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let rows = record["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 20);
        for (scalar, auto) in rows[..10].iter().zip(&rows[10..]) {
            assert_eq!(
                (&scalar["case"], &scalar["insns_per_op"]),
                (&auto["case"], &auto["insns_per_op"])
            );
        }
    }
}

/// Node computes with OpenSSL, and so uses the core's extensions.
#[test]
#[ignore = "packages: make test-long"]
fn node_uses_what_the_core_has() {
    let capvec = || Command::cargo_bin("capvec").expect("the program is built");
    let name = "capvec-tests-node";
    capvec().args(["sysroot", "add", "--name", name, "nodejs"]).assert().success();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/libraries");
    let examples = examples.canonicalize().expect("a directory");
    let bind = format!("{}:/w", examples.display());
    let dir = tempfile::tempdir().expect("a directory");
    let stats = dir.path().join("stats.json");
    let retired = |isa: &str, case: &str, mebibytes: &str| {
        let mut run = capvec();
        run.args(["run", "--sysroot", name, "--core", "karu64", "--isa", isa, "--bind", &bind]);
        run.arg("--stats-json").arg(&stats);
        run.args(["--", "node", "/w/node.js", case, mebibytes]).assert().success();
        let json = std::fs::read(&stats).expect("a file");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        json["retired"].as_f64().expect("a number")
    };
    // The instructions of one more MiB, with and without the extensions.
    for case in ["sha256", "aes-128-gcm"] {
        let more = |isa| retired(isa, case, "2") - retired(isa, case, "1");
        let (scalar, all) = (more("rv64gc"), more("rv64gcv_zvkng_zvbb"));
        assert!(scalar > 10.0 * all && all > 1e6, "{case}: {scalar} {all}");
    }
}
