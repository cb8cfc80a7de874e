//! `capvec ct`: planted leaks are found where they are, and their twins in constant time are clean.

use crate::common::{SYSROOT, capvec, compiled, conforming, guest, output, set_up};
use serde_json::Value;
use std::path::Path;

/// The leaks of `guest/ct/`, and what each must be reported as.
const LEAKS: [(&str, &str); 90] = [
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
    ("moving", "branch"),
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
    ("beyond", "not-data-independent"),
    ("schedule", "branch"),
    ("sleep", "system-call"),
    ("clock", "system-call"),
    ("poll", "system-call"),
    ("futex", "system-call"),
    ("word", "system-call"),
    ("path", "system-call"),
    ("vector", "system-call"),
    ("message_length", "system-call"),
    ("address", "system-call"),
    ("option", "system-call"),
    ("arguments", "system-call"),
    ("environment", "system-call"),
    ("queue", "system-call"),
    ("exit", "system-call"),
    ("ignored", "system-call"),
    ("padding", "system-call"),
    ("counter", "system-call"),
    ("shared_file", "branch"),
    ("written_file", "branch"),
    ("stored_file", "branch"),
    ("unmapped_file", "branch"),
    ("cut", "branch"),
    ("emptied", "branch"),
    ("cut_memory", "branch"),
    ("value", "branch"),
    ("waiting", "branch"),
    ("signalfd", "branch"),
    ("name", "branch"),
    ("link", "branch"),
    ("bits", "branch"),
    ("bit", "branch"),
    ("code", "code"),
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
    // Errors of usage print none.
    if json.is_empty() { Value::Null } else { conforming("ct", &json) }
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
        if first["function"] == *function {
            assert!(is_in(&first["source"], &function), "{found:#}");
        }
    }
}

/// Whether file and line are those of a function of `guest/ct.c` or a file that it includes.
fn is_in(source: &Value, function: &str) -> bool {
    let file = source["file"].as_str().expect("a file").trim_start_matches("/source/");
    let line = source["line"].as_u64().expect("a line") as usize;
    lines_of(function, file).contains(&line)
}

/// The lines of a function, which a macro may define.
fn lines_of(function: &str, file: &str) -> std::ops::RangeInclusive<usize> {
    let by_macro = format!("({})", function.trim_start_matches("leak_"));
    let begins = |l: &str| {
        l.starts_with("static") && l.contains(&format!("{function}("))
            || l.starts_with(char::is_uppercase) && l.contains(&by_macro)
    };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest").join(file);
    let text = std::fs::read_to_string(file).expect("a file of the test's program");
    let mut lines = text.lines().enumerate();
    let first = lines.find(|(_, l)| begins(l)).map_or(0, |(n, _)| n + 1);
    first..=lines.find(|(_, l)| *l == "}").map_or(0, |(n, _)| n + 1)
}

/// The line tables of a stripped program come from the file that its debug link names, as Debian's debug packages have them.
#[test]
fn source_lines_come_from_a_detached_file() {
    let bind = compiled("ct");
    let dir = tempfile::tempdir().expect("a directory");
    let own = format!("--bind={}:/own:rw", dir.path().display());
    let split = "cd /own && objcopy --only-keep-debug --compress-debug-sections=zlib /built/ct ct.debug \
        && objcopy --strip-all --add-gnu-debuglink=ct.debug /built/ct stripped";
    output(&mut guest(&[&bind, &own], &["bash", "-c", split]), 0);
    let source = || {
        let found = check(&[&own], &["/own/stripped", "compare", "leak"], 1);
        found["findings"][0]["source"].clone()
    };
    let with = source();
    assert!(is_in(&with, "leak_compare"), "{with}");
    std::fs::remove_file(dir.path().join("ct.debug")).expect("it is there");
    assert_eq!(source(), Value::Null);
}

#[test]
fn functions_declassify() {
    let bind = compiled("ct");
    let run = |flag: &str, name: &str, status| {
        check(&[&bind, "--secret=fixed", flag], &["/built/ct", name], status)
    };
    run("--declassify=differs", "result", 0);
    assert_eq!(run("--declassify=uses", "result", 1)["findings"][0]["kind"], "branch");
    run("--declassify=uses:0:16", "symbol", 0);
    // The third byte is used.
    run("--declassify=uses:0:2", "symbol", 1);
    run("--declassify=nowhere", "symbol", 2);
}

#[test]
fn what_functions_leave_behind_is_found() {
    let bind = compiled("ct");
    for (place, left) in [
        ("register", "t3 after leaves_register"),
        ("vector", "v8 after leaves_vector"),
        ("stack", "8 bytes of the stack after leaves_stack"),
        ("heap", "8 bytes of freed memory after leaves_heap"),
        ("aligned", "8 bytes of freed memory after leaves_aligned"),
        ("stored", "8 bytes of freed memory after leaves_stored"),
    ] {
        let run = |verb: &str, status| {
            let function = format!("{verb}_{place}");
            let flag = format!("--leftovers={function}");
            check(&[&bind, ISA, "--secret=fixed", &flag], &["/built/ct", &function], status)
        };
        run("wipes", 0);
        let found = run("leaves", 1);
        assert_eq!(found["findings"][0]["kind"], "leftover", "{found:#}");
        assert_eq!(found["findings"][0]["left_in"], left);
    }
}

#[test]
fn suppressed_findings_are_listed_with_their_reasons() {
    let bind = compiled("ct");
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("harmless.toml");
    let flag = format!("--suppress={}", file.display());
    let run = |text: &str, status| {
        std::fs::write(&file, text).expect("writable");
        let options = ["--secret=fixed", &flag, &bind];
        let mut command = capvec();
        command.args(["ct", "--no-cwd", "--sysroot", SYSROOT]).args(options);
        output(command.args(["--", "/built/ct", "symbol"]), status)
    };
    set_up();
    let rule = |function: &str| {
        format!("[[suppress]]\nkind = 'branch'\nfunction = '{function}'\nreason = 'a test'\n")
    };
    let (text, _) = run(&(rule("uses") + &rule("main")), 0);
    assert!(text.contains("unused: the suppression in line 5"), "{text}");
    assert!(text.contains("0 findings, 1 suppressed"), "{text}");
    run(&rule("main"), 1);
    let (_, error) = run("[[suppress]]\nfunction = 'uses'\n", 2);
    assert!(error.contains("harmless.toml") && error.contains("missing field `reason`"), "{error}");
    std::fs::write(&file, rule("uses")).expect("writable");
    let found = check(&["--secret=fixed", &flag, &bind], &["/built/ct", "symbol"], 0);
    assert_eq!(found["suppressed"][0]["reason"], "a test");
}

#[test]
fn sarif_names_rule_and_line() {
    let bind = compiled("ct");
    set_up();
    let mut command = capvec();
    command.args(["ct", "--format=sarif", "--secret=fixed", "--no-cwd", "--sysroot", SYSROOT]);
    let (text, _) = output(command.args([&*bind, "--", "/built/ct", "symbol"]), 1);
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "branch");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "file:///source/ct.c");
    assert!(place["region"]["startLine"].is_u64());
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
        ("mapped", "--secret-file=/built/ct", "file /built/ct"),
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

/// Only a complete check of something secret is clean.
#[test]
fn the_verdict_says_what_was_not_checked() {
    let bind = compiled("ct");
    set_up();
    for (flag, program, status, verdict) in [
        (
            "--secret=fixed:2",
            &["symbol"][..],
            0,
            "no finding: nothing that was checked depends on a secret",
        ),
        (
            "--secret=nowhere",
            &["symbol"],
            2,
            "not checked: no program or library that ran has the symbol nowhere",
        ),
        ("--vlen=128", &["symbol"], 2, "not checked: nothing was secret in this run"),
        (
            "--secret=fixed",
            &["compare", "wrong", "arguments"],
            3,
            "no finding; not everything was checked: the program ended with status 2",
        ),
    ] {
        let mut command = capvec();
        command.args(["ct", "--no-cwd", "--sysroot", SYSROOT, &bind, flag, "--", "/built/ct"]);
        let (text, _) = output(command.args(program), status);
        assert_eq!(text.lines().last(), Some(verdict), "{text}");
    }
}

/// The cases of the benchmark: one of each kind of vector code, with its secrets marked by rule.
#[test]
fn cases_of_libcapvec_are_clean() {
    set_up();
    let check = |flags: &str, status| {
        let mut command = capvec();
        command.args(["ct", "--quiet", "--format", "json", "--sysroot", SYSROOT, "--cases"]);
        let (json, _) = output(command.args(flags.split(' ')), status);
        conforming("ct-cases", &json)
    };
    let clean = check("aes-128-gcm --subject capvec --caps scalar,zvkb_zvkg_zvkned", 0);
    assert_eq!(clean["findings"], Value::Array(vec![]));
    assert!(clean["rows"].as_array().expect("rows").iter().all(|r| r["not_checked"].is_null()));
    // The set without vectors is checked once, the other under both policies.
    assert_eq!(clean["rows"].as_array().map(Vec::len), Some(3));
    // The tables of stock OpenSSL.
    let found = check("aes-128-ecb --caps scalar", 1);
    assert!(found["findings"].as_array().expect("findings").iter().any(|f| f["kind"] == "address"));
}

#[test]
fn bench_says_which_command_checks_time() {
    let flags = ["bench", "--ct", "--cases", "sha256", "--subject", "capvec", "--vlen", "256"];
    let (_, error) = output(capvec().args(flags), 2);
    let command =
        "capvec ct --cases sha256 --subject capvec --caps scalar,dispatch,full --vlen 256";
    assert!(error.contains(command), "{error}");
}

/// Tables of stock OpenSSL make cycles depend on the key, libcapvec's do not.
#[test]
fn cycles_with_random_keys_are_one_number_or_the_block_where_they_diverge_is_named() {
    set_up();
    let time = |subject: &str, case: &str, status| {
        let mut command = capvec();
        command.args(["ct", "--quiet", "--format", "json", "--sysroot", SYSROOT]);
        command.args(["--cases", case, "--caps", "scalar", "--core", "karu64"]);
        let (json, _) = output(command.args(["--timing", "4", "--subject", subject]), status);
        conforming("ct-cases", &json)["rows"][0].clone()
    };
    // For the second case, the driver reads the key in a time that depends on the key's digits, which must not count.
    for case in ["sha256", "aes-128-ecb"] {
        let constant = time("capvec", case, 0)["timings"][0].clone();
        assert_eq!(constant["cycles"].as_array().map(Vec::len), Some(1), "{constant}");
    }
    let varies = time("openssl", "aes-128-ecb", 1)["timings"][0].clone();
    assert!(varies["cycles"].as_array().is_some_and(|all| all.len() > 1), "{varies}");
    assert!(varies["divergence"].as_str().expect("a block").contains("AES_set_encrypt_key"));
    // A case that cannot be timed is not a success.
    let unknown = time("openssl", "rsa-2048", 3);
    assert!(unknown["not_checked"].as_str().expect("why").contains("secrets.toml"), "{unknown}");
}
