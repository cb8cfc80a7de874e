//! `capvec ct`: planted leaks are found where they are, and their twins in constant time are clean.

use crate::common::{SYSROOT, capvec, compiled, output, set_up};
use serde_json::Value;

/// The leaks of `guest/ct.c`, and what each must be reported as.
const LEAKS: [(&str, &str); 56] = [
    ("compare", "branch"),
    ("table", "address"),
    ("power", "branch"),
    ("division", "not-data-independent"),
    ("clmulr", "not-data-independent"),
    ("jump", "jump-target"),
    ("copy", "branch"),
    ("length", "system-call"),
    ("rounding", "control-register"),
    ("float", "not-data-independent"),
    ("setjmp", "branch"),
    ("signal", "branch"),
    ("fork", "branch"),
    ("vl", "vector-configuration"),
    ("compress", "not-data-independent"),
    ("stride", "address"),
    ("gather", "exempt-operand"),
    ("indexed", "address"),
    ("masked", "exempt-operand"),
    ("store_mask", "access-mask"),
    ("reduction", "not-data-independent"),
    ("tail", "branch"),
    ("aes", "branch"),
    ("pipe", "branch"),
    ("file", "branch"),
    ("socket", "branch"),
    ("datagram", "branch"),
    ("mapping", "branch"),
    ("sendfile", "branch"),
    ("message", "branch"),
    ("sharing", "branch"),
    ("thread", "branch"),
    ("frame", "branch"),
    ("flags", "branch"),
    ("fcsr", "branch"),
    ("remainder", "not-data-independent"),
    ("store", "address"),
    ("atomic", "address"),
    ("table_jump", "address"),
    ("loop", "branch"),
    ("string", "branch"),
    ("memcmp", "branch"),
    ("minimum", "not-data-independent"),
    ("borrow", "branch"),
    ("vtype", "vector-configuration"),
    ("vstart", "control-register"),
    ("saturation", "branch"),
    ("first", "not-data-independent"),
    ("count", "not-data-independent"),
    ("slide", "exempt-operand"),
    ("quotients", "not-data-independent"),
    ("scatter", "address"),
    ("stride_store", "address"),
    ("average", "not-data-independent"),
    ("inactive", "branch"),
    ("schedule", "branch"),
];

const ISA: &str = "--isa=rv64gcv_zba_zbb_zbs_zbc_zvkned_zvknhb";

fn check(options: &[&str], program: &[&str], status: i32) -> Value {
    set_up();
    let mut command = capvec();
    command
        .args(["ct", "--format=json", "--no-cwd", "--sysroot", SYSROOT])
        .args(options)
        .arg("--")
        .args(program);
    let (json, _) = output(&mut command, status);
    serde_json::from_str(&json).expect("JSON")
}

#[test]
fn every_planted_leak_is_found_where_it_is_and_its_twin_is_clean() {
    let bind = compiled("ct");
    for (n, (name, kind)) in LEAKS.into_iter().enumerate() {
        // Each leak on one VLEN and one policy of agnostic elements, in turn.
        let vlen = format!("--vlen={}", [128, 256, 512][n % 3]);
        let agnostic = format!("--agnostic={}", ["ones", "undisturbed"][n % 2]);
        let options = [&*bind, ISA, &vlen, &agnostic];
        let clean = check(&options, &["/built/ct", name, "clean"], 0);
        assert_eq!(clean["findings"], Value::Array(vec![]), "{name}");
        assert_eq!(clean["marked"], true);
        let found = check(&options, &["/built/ct", name, "leak"], 1);
        let first = &found["findings"][0];
        assert_eq!(first["kind"], kind, "{name}: {found:#}");
        assert_eq!(first["secret"], "client request", "{name}");
        assert!(!first["chain"].as_array().expect("a chain").is_empty(), "{name}");
        // The C library's stub makes a system call.
        let path = first["path"].as_array().expect("a path");
        let function = format!("leak_{name}");
        assert!(
            first["function"] == *function || path.contains(&Value::from(&*function)),
            "{found:#}"
        );
        assert!(path.contains(&Value::from("main")), "{name}: {path:?}");
    }
}

#[test]
fn a_core_adds_instructions_whose_time_depends_on_data() {
    let bind = compiled("ct");
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("mine.toml");
    let ideal = include_str!("../../../cores/ideal.toml");
    let own = "[core]\ndata_dependent = { value = \"mul\", source = \"early out\" }\n";
    std::fs::write(
        &file,
        ideal.replace("[core]\n", own).replace("\"ideal\"\ntitle", "\"mine\"\ntitle"),
    )
    .expect("writable");
    let core = format!("--core={}", file.display());
    let program = ["/built/ct", "division", "clean"];
    let found = check(&[&bind, ISA, &core], &program, 1);
    assert!(
        found["findings"][0]["instruction"].as_str().expect("text").contains("mul"),
        "{found:#}"
    );
    check(&[&bind, ISA], &program, 0);
}

#[test]
fn flags_mark_secrets() {
    let bind = compiled("ct");
    for (name, flag, secret) in [
        ("symbol", "--secret=fixed", "symbol fixed"),
        ("argument", "--secret-arg=uses:0:8", "argument 0 of uses"),
        ("random", "--secret-random", "random bytes from the kernel"),
        ("file", "--secret-file=/built/ct", "file /built/ct"),
    ] {
        let found = check(&[&bind, flag], &["/built/ct", name], 1);
        let findings = found["findings"].as_array().expect("a list");
        // The C library uses random bytes, too.
        let found = findings.iter().find(|f| f["function"] == "uses");
        assert_eq!(found.expect(name)["secret"], secret);
        check(&[&bind], &["/built/ct", name], 2);
    }
    // Only the first two bytes are secret, and the third is used.
    check(&[&bind, "--secret=fixed:2"], &["/built/ct", "symbol"], 0);
    check(&[&bind, "--secret=nowhere"], &["/built/ct", "symbol"], 2);
    check(&[&bind, "--secret=fixed"], &["/built/ct", "compare", "wrong", "arguments"], 3);
}
