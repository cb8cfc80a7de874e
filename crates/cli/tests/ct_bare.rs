//! `capvec ct --bare`: libcapvec on harts without an operating system, above all RV32, and planted leaks with their twins.

use crate::bare_build::{For, build_with};
use crate::common::{capvec, conforming, output};
use serde_json::Value;
use std::path::{Path, PathBuf};

const RV32: For = For { arch: "rv32imac_zicsr", abi: "ilp32", caps: "rv32imac" };
const RV32_ZBB: For = For { arch: "rv32imac_zicsr_zbb", abi: "ilp32", caps: "rv32imac_zbb" };
const RV32_ZBKB: For = For { arch: "rv32imac_zicsr", abi: "ilp32", caps: "rv32imac_zbkb" };
const RV32_ZKN_ZKS: For = For { arch: "rv32imac_zicsr", abi: "ilp32", caps: "rv32imac_zkn_zks" };
const RV64V: For = For { arch: "rv64gc", abi: "lp64d", caps: "rv64gcv_zvkb_zvkned_zvkg" };

/// Pairs of `crypto/test/bare/planted.c`, and what the leak is reported as.
const PLANTED: [(&str, &str); 4] = [
    ("compare", "branch"),
    ("table", "address"),
    ("division", "not-data-independent"),
    ("trap", "control-register"),
];

/// Builds a program of `crypto/test/bare`; `None`, with a report, without a compiler.
fn built(dir: &Path, name: &str, f: &For, arguments: &[&str]) -> Option<PathBuf> {
    let program = dir.join(name);
    let target = program.display().to_string();
    build_with(dir, "test/bare", f, &[arguments, &[&*target]].concat())?;
    Some(program)
}

fn check(program: &Path, isa: &str, options: &[&str], status: i32) -> Value {
    let mut command = capvec();
    command.args(["ct", "--bare", "--format=json", "--core=ideal", "--isa", isa]);
    command.args(options).arg("--").arg(program);
    let (json, _) = output(&mut command, status);
    conforming("ct", &json)
}

/// Whatever libcapvec does with secrets on this hart is in constant time; if there is no compiler, nothing is checked.
fn is_clean(f: &For, isa: &str, arguments: &[&str]) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bare-secrets");
    // make takes an argument with = for a variable, even if it is the path of a target.
    let dir = dir.join([&[f.caps][..], arguments].concat().join("-").replace('=', ""));
    std::fs::create_dir_all(&dir).expect("a directory");
    let Some(program) = built(&dir, "secrets", f, arguments) else { return };
    let harmless =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto/test/bare/harmless.toml");
    let found = check(&program, isa, &[&format!("--suppress={}", harmless.display())], 0);
    assert_eq!((&found["findings"], &found["marked"]), (&Value::Array(vec![]), &true.into()));
}

#[test]
fn planted_leaks_are_found_on_rv32_and_nothing_else() {
    let dir = tempfile::tempdir().expect("a directory");
    let Some(program) = built(dir.path(), "planted", &RV32, &[]) else { return };
    for (name, kind) in PLANTED {
        let secret = |which: &str| format!("--secret={which}_{name}_key");
        let isa = "rv32imac_zicsr";
        let clean = check(&program, isa, &[&secret("steady")], 0);
        assert_eq!(clean["findings"], Value::Array(vec![]), "{name}");
        let found = check(&program, isa, &[&secret("leaky")], 1);
        let findings = found["findings"].as_array().expect("a list");
        assert!(!findings.is_empty(), "{found:#}");
        // Several, where a compiler unrolls a loop.
        for finding in findings {
            assert_eq!(finding["kind"], kind, "{finding:#}");
            assert_eq!(finding["function"], format!("leaky_{name}"), "{finding:#}");
            assert_eq!(finding["secret"], format!("symbol leaky_{name}_key"));
            let file = finding["source"]["file"].as_str().expect("a source line");
            assert!(file.ends_with("planted.c"), "{file}");
            assert_eq!(finding["path"][1], "_start", "{finding:#}");
        }
    }
    // Nothing is secret by itself.
    let mut command = capvec();
    command.args(["ct", "--bare", "--isa=rv32imac_zicsr", "--"]).arg(&program);
    let (_, text) = output(&mut command, 2);
    assert!(text.contains("nothing was secret"), "{text}");
}

#[test]
fn libcapvec_is_clean_on_rv32() {
    is_clean(&RV32, "rv32imac_zicsr", &[]);
    is_clean(&RV32_ZKN_ZKS, "rv32imac_zicsr_zkn_zks", &[]);
}

#[test]
#[ignore = "takes minutes: every set and scheme; `make ct-bare` runs it"]
fn libcapvec_is_clean_without_an_operating_system() {
    for (f, isa) in [
        (&RV32, "rv32imac_zicsr"),
        (&RV32_ZBB, "rv32imac_zicsr_zbb"),
        (&RV32_ZBKB, "rv32imac_zicsr_zbkb"),
        (&RV32_ZKN_ZKS, "rv32imac_zicsr_zkn_zks"),
        (&RV64V, "rv64gcv_zvkb_zvkned_zvkg"),
    ] {
        is_clean(f, isa, &["LONG=1"]);
        is_clean(f, isa, &["LONG=1", "SMALL_STACK=1"]);
    }
}

/// Flags for Linux mean nothing without it.
#[test]
fn flags_of_linux_are_refused() {
    for flag in ["--secret-random", "--secret-file=/key", "--net=loopback"] {
        let mut command = capvec();
        command.args(["ct", "--bare", flag, "--", "x.elf"]);
        let (_, text) = output(&mut command, 2);
        assert!(text.contains("cannot be used with"), "{text}");
    }
}
