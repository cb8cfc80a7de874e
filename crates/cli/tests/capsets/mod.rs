//! Capability sets on the command line: families, profiles, verbatim values, interrupted sweeps, fits.
//!
//! Measures the stock library on small messages; needs the sysroot, as `make test` sets it up.

mod caps;
mod explain;

use crate::common::finished_runs;
use assert_cmd::Command;
use assert_cmd::cargo::CommandCargoExt;
use serde_json::Value;
use std::process::Stdio;

/// Runs `capvec ARGS`, which must exit with `code`; returns standard output and standard error.
fn capvec(args: &[&str], code: i32) -> (String, String) {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let output = command.args(args).assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn json(args: &[&str], code: i32) -> (Value, String) {
    let (stdout, stderr) = capvec(&[args, &["--format", "json"]].concat(), code);
    (serde_json::from_str(&stdout).unwrap(), stderr)
}

fn rows(record: &Value) -> &Vec<Value> {
    record["rows"].as_array().unwrap()
}

#[test]
fn usage_errors_name_the_flag() {
    let wrong: &[(&[&str], &[&str])] = &[
        (&["bench", "--caps", "zvkned_zzz"], &["--caps", "zzz"]),
        (&["bench", "--caps", "rv64gc_zzz"], &["--caps", "zzz"]),
        (&["bench", "--caps", "rv32gc"], &["--caps", "rv64"]),
        (&["bench", "--caps", ""], &["--caps"]),
        (&["bench", "--bytes", "16,x"], &["--bytes"]),
        (&["bench", "--bytes", "16,15"], &["--bytes 15", "aes-128-ecb", "a multiple of 16"]),
        (
            &["bench", "--cases", "sha256,sm4-cbc", "--bytes", "40"],
            &["--bytes 40", "sm4-cbc", "a multiple of 16"],
        ),
        (
            &["bench", "--cases", "aes-256-xts", "--bytes", "1"],
            &["--bytes 1", "aes-256-xts", "16 or more"],
        ),
        (&["caps", "--isa", "rv64gc_zzz"], &["--isa", "zzz"]),
        (&["caps", "--isa", "rv32gc"], &["--isa", "64-bit"]),
        (&["caps", "--caps", "zzz"], &["--caps", "zzz"]),
        (&["caps", "--isa", "rv64gc", "--caps", "zbb"], &["--isa", "--caps"]),
        (&["caps", "--target", "native", "--vlen", "256"], &["--target native", "--vlen"]),
        (&["caps", "--target", "native", "--core", "ideal"], &["--target native", "--core"]),
        (&["caps", "--target", "native", "--sysroot", "x"], &["--target native", "--sysroot"]),
        (
            &["caps", "--target", "qemu:riscv64"],
            &["caps: --target qemu:riscv64", "--target native can"],
        ),
        (&["caps", "--vlen", "100"], &["--vlen"]),
        (&["caps", "lint"], &["STRING"]),
    ];
    for (args, words) in wrong {
        let (stdout, stderr) = capvec(args, 2);
        assert!(stdout.is_empty(), "{args:?}");
        assert!(words.iter().all(|w| stderr.contains(w)), "{args:?}: {stderr}");
    }
}

/// Compares the dispatch that capvec assumes with the library's: where the condition of crypto/sha/sha_riscv.c holds, the
/// library uses other code; everywhere else it uses portable code, and retires a few more instructions to test the
/// condition.
#[test]
fn the_library_dispatches_as_the_rules_say() {
    let args = ["bench", "-q", "--cases", "sha256", "--bytes", "64", "--caps", "all-subsets"];
    let (record, _) = json(&args, 0);
    let count = |r: &Value| r["insns_per_op"].as_f64().unwrap();
    let scalar = count(&rows(&record)[0]);
    let mut accelerated = 0;
    for r in rows(&record) {
        let name = r["capset"].as_str().unwrap();
        let has = |e: &[&str]| name == "full" || e.iter().any(|e| name.split('_').any(|w| w == *e));
        assert_eq!(r["answers"], "pass", "{name}");
        if has(&["zvkb", "zvbb"]) && has(&["zvknha", "zvknhb"]) {
            accelerated += 1;
            assert!(count(r) < scalar / 2.0, "{name}: {} of {scalar}", count(r));
        } else {
            assert!((count(r) - scalar).abs() < 20.0, "{name}: {} of {scalar}", count(r));
        }
    }
    assert_eq!(accelerated, 5);
    let configurations = record["configurations"].as_array().unwrap();
    assert!(configurations.iter().all(|c| c["disagreement"].is_null()));
    let explanation = &record["explanations"][0];
    assert_eq!(explanation["best"], "zvkb_zvknha");
    assert_eq!(explanation["steps"][0]["adds"], serde_json::json!(["zvkb", "zvknha"]));
}

/// The length of the variable would move the stack if capvec did not compensate for it.
#[test]
fn extensions_that_a_case_does_not_use_do_not_change_its_cycles() {
    let args = ["bench", "-q", "--cases", "sha256", "--bytes", "1024"];
    let (record, _) =
        json(&[&args[..], &["--caps", "scalar,zba,zbb_zbs_zknh_zkr_zkt"]].concat(), 0);
    let of = |name: &str| rows(&record).iter().map(|r| r[name].clone()).collect::<Vec<_>>();
    for column in ["insns_per_op", "cycles_per_op"] {
        let values = of(column);
        assert!(values[0].is_number() && values.iter().all(|v| *v == values[0]), "{values:?}");
    }
}

#[test]
fn profiles_single_extensions_and_dispatch_can_be_combined() {
    let (record, stderr) = json(
        &[
            "bench",
            "-q",
            "--cases",
            "sm3",
            "--bytes",
            "64",
            "--caps",
            "dispatch,rva23u64_zvksg,zicond",
        ],
        0,
    );
    let names: Vec<&str> = rows(&record).iter().filter_map(|r| r["capset"].as_str()).collect();
    assert_eq!(names, ["scalar", "zvkb_zvksh", "rva23u64_zvksg", "zicond"]);
    assert!(stderr.contains("warning") && stderr.contains("zicond"), "{stderr}");
    let strings: Vec<&str> = rows(&record).iter().filter_map(|r| r["capstring"].as_str()).collect();
    assert_eq!(strings[1], "rv64gc_v_zvkb_zvksh");
}

/// The hart has the extension and those that it implies, and the library uses exactly these.
#[test]
fn every_single_extension_and_profile_is_what_the_library_uses() {
    let args = ["bench", "-q", "--cases", "sm3", "--bytes", "64", "--kat", "none", "--caps"];
    let caps = "singles,rva22u64,rva23u64,rva23u64_zvkng,rvb23u64,full";
    let (record, _) = json(&[&args[..], &[caps]].concat(), 0);
    let configurations = record["configurations"].as_array().unwrap();
    assert_eq!(configurations.len(), 1 + 24 + 4 + 1);
    for c in configurations {
        assert!(c["disagreement"].is_null(), "{c}");
    }
    let expected = |name: &str| {
        let c = configurations.iter().find(|c| c["capset"] == name).expect(name);
        c["expected"].as_str().unwrap().to_string()
    };
    assert_eq!(expected("zvknhb"), "v zvknha zvknhb");
    assert_eq!(expected("zbb"), "zbb");
    // RISC-V profiles 1.0 and RVA23/RVB23 1.0, as far as OpenSSL knows the extensions.
    assert_eq!(expected("rva22u64"), "zba zbb zbs zkt");
    assert_eq!(expected("rva23u64"), "v zba zbb zbs zkt zvbb zvkb");
    assert_eq!(expected("rva23u64_zvkng"), "v zba zbb zbs zkt zvbb zvkb zvkg zvkned zvknha zvknhb");
    assert_eq!(expected("rvb23u64"), "zba zbb zbs zkt");
    assert!(rows(&record).iter().all(|r| r["answers"] == "pass"));
}

#[test]
fn a_verbatim_value_shows_what_the_library_makes_of_it() {
    let (record, stderr) = json(
        &[
            "bench",
            "-q",
            "--cases",
            "sha256",
            "--bytes",
            "64",
            "--caps",
            "string:rv64gcv_zvkb_zvknha",
        ],
        0,
    );
    let c = &record["configurations"][0];
    assert!(c["disagreement"].as_str().unwrap().contains("does not use v"), "{c}");
    assert!(c["hart"].as_str().unwrap().contains("zvknha"), "{c}");
    assert!(stderr.contains("warning") && stderr.contains("rv64gcv"), "{stderr}");
}

/// OpenSSL misreads `_zvkgs` as Zvkg, which the hart lacks; only the case that uses it is lost.
#[test]
fn a_guest_that_dies_in_one_case_keeps_the_others() {
    let cases = "ghash,sha256";
    let (record, stderr) = json(
        &["bench", "-q", "--cases", cases, "--bytes", "64", "--caps", "string:rv64gc_v_zvkgs"],
        1,
    );
    let of = |case: &str| rows(&record).iter().find(|r| r["case"] == case).unwrap();
    assert!(of("ghash")["answers"].as_str().unwrap().contains("zvkg"), "{}", of("ghash"));
    assert!(of("ghash")["kBps"].is_null());
    assert_eq!(of("sha256")["answers"], "pass");
    assert!(stderr.contains("SIGILL"), "{stderr}");
}

#[test]
fn three_sizes_separate_the_call_from_the_byte() {
    let args = ["bench", "-q", "--cases", "sha256", "--caps", "scalar"];
    let (record, _) = json(&[&args[..], &["--bytes", "64,1024,256,4096"]].concat(), 0);
    let fit = &record["fits"][0];
    assert_eq!(fit["sizes"], serde_json::json!([256, 1024, 4096]));
    // SHA-256 does the same work for every block, so the cost of a block is the difference between two sizes.
    let at = |n: u64| {
        let row = rows(&record).iter().find(|r| r["bytes"] == n).unwrap();
        row["insns_per_op"].as_f64().unwrap()
    };
    let slope = (at(4096) - at(1024)) / 3072.0;
    let found = fit["insns"]["per_byte"].as_f64().unwrap();
    assert!((found / slope - 1.0).abs() < 1e-3, "{found} {slope}");
    assert!(fit["insns"]["misfit"].as_f64().unwrap() < 1e-3);
    let (table, _) = capvec(&[&args[..], &["--bytes", "64,1024,256"]].concat(), 0);
    assert!(table.contains("half-speed bytes"), "{table}");
    let (table, _) = capvec(&[&args[..], &["--bytes", "64,1024"]].concat(), 0);
    assert!(!table.contains("half-speed"), "{table}");
}

#[test]
fn an_interrupted_sweep_resumes_with_the_same_figures() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let args = ["bench", "-q", "--cases", "sha256,sm3", "--caps", "singles,all-subsets"];
    let args = [&args[..], &["--bytes", "64", "--kat", "none", "--format", "csv"]].concat();
    let with_out = [&args[..], &["--out", out.to_str().unwrap()]].concat();
    let mut child = std::process::Command::cargo_bin("capvec")
        .unwrap()
        .args(&with_out)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while finished_runs(&out) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the sweep ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(finished_runs(&out) < 25);

    // With other sizes it is another sweep: it is refused, and nothing is lost.
    let other: Vec<&str> = with_out.iter().map(|a| if *a == "64" { "65" } else { a }).collect();
    let (_, stderr) = capvec(&other, 2);
    assert!(stderr.contains("--bytes") && stderr.contains("runs"), "{stderr}");

    let (resumed, stderr) = capvec(&with_out, 0);
    assert!(stderr.contains("resuming"), "{stderr}");
    assert!(!out.join("runs").exists());
    assert_eq!(std::fs::read_to_string(out.join("results.csv")).unwrap(), resumed);
    let (whole, _) = capvec(&args, 0);
    assert_eq!(resumed, whole);
}
