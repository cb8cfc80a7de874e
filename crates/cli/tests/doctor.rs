//! `capvec doctor` on specimens: targets that deliberately have a fault, and files.
//!
//! Runs the stock library in the simulator; needs the sysroot, as `make test` sets it up.

use crate::common::conforming;
use assert_cmd::Command;
use serde_json::Value;

fn doctor(args: &[&str], code: i32) -> (String, String) {
    let mut command = Command::cargo_bin("capvec").unwrap();
    for variable in ["OPENSSL_riscvcap", "OPENSSL_armcap", "OPENSSL_ia32cap"] {
        command.env_remove(variable);
    }
    let output = command.arg("doctor").args(args).assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn json(args: &[&str], code: i32) -> Value {
    let (stdout, _) = doctor(&[args, &["--format", "json"]].concat(), code);
    conforming("doctor", &stdout)
}

/// The finding for AES-128-ECB.
fn finding(args: &[&str], code: i32) -> Value {
    let all = json(&[args, &["--algorithms", "aes-128-ecb", "--bytes", "1024"]].concat(), code);
    let findings = all["diagnosis"]["findings"].as_array().unwrap().clone();
    assert_eq!(findings.len(), 1);
    findings[0].clone()
}

fn text<'a>(finding: &'a Value, field: &str) -> &'a str {
    finding[field].as_str().unwrap_or_default()
}

fn is_lost(finding: &Value, verdict: &str) {
    assert_eq!(text(finding, "verdict"), verdict, "{finding}");
    // Zvkned makes AES-ECB tens of times faster on this core.
    assert!(finding["lost"].as_f64().unwrap() > 5.0, "{finding}");
    assert_eq!(finding["slower"], true);
    assert!(!text(finding, "remedy").is_empty());
}

#[test]
fn a_core_that_is_shown_completely_is_accelerated() {
    let f = finding(&[], 0);
    assert_eq!((text(&f, "verdict"), &f["lost"]), ("accelerated", &Value::Null));
    assert!(f["over_scalar"].as_f64().unwrap() > 5.0);
    let proof = f["proof"].to_string();
    assert!(proof.contains("of zvkned") && proof.contains("configured to use nothing"), "{proof}");
}

#[test]
fn hidden_capabilities_are_found_and_their_cost_is_measured() {
    let f = finding(&["--hide", "zvkned"], 1);
    is_lost(&f, "hidden-by-kernel");
    assert!(text(&f, "why").contains("zvkned") && text(&f, "remedy").contains("device tree"));
    let f = finding(&["--no-hwprobe"], 1);
    is_lost(&f, "hidden-by-kernel");
    assert!(text(&f, "why").contains("riscv_hwprobe") && text(&f, "remedy").contains("seccomp"));
}

/// Stock OpenSSL's path for XTS needs Zvbb, libcapvec's does not. The finding is a failure only with `--fail-on faster`.
#[test]
fn faster_code_that_exists_is_reported() {
    let args = ["--algorithms", "aes-128-xts", "--bytes", "1024"];
    let all = json(&args, 0);
    let f = &all["diagnosis"]["findings"][0];
    assert_eq!((text(f, "verdict"), text(f, "against")), ("faster-exists", "libcapvec"), "{f}");
    assert!(f["lost"].as_f64().unwrap() >= 1.5 && f["slower"] == true, "{f}");
    assert!(text(f, "remedy").contains("capvec build provider"));
    for fails in [["--fail-on", "faster"], ["--fail-on", "wrong"]] {
        let code = i32::from(fails[1] == "faster");
        let (csv, _) = doctor(&[&args[..], &fails, &["--format", "csv"]].concat(), code);
        assert!(csv.contains("faster code exists"), "{csv}");
    }
}

/// libcapvec has only post-quantum public-key algorithms, so this one is not compared with it.
#[test]
fn public_keys_are_examined() {
    let all = json(&["--algorithms", "x25519"], 0);
    assert_eq!(text(&all["diagnosis"]["findings"][0], "verdict"), "fallback");
}

/// SHA-512 needs Zvknhb, which includes Zvknha.
#[test]
fn findings_name_the_extension_that_the_library_asks_for() {
    let all = json(&["--algorithms", "sha512", "--bytes", "1024"], 0);
    let f = &all["diagnosis"]["findings"][0];
    assert!(text(f, "why").contains("zvknhb") && !text(f, "why").contains("zvknha"), "{f}");
}

#[test]
fn a_capability_string_that_drops_v_is_not_detected() {
    let f = finding(&["--env", "OPENSSL_riscvcap=rv64gcv_zvkned"], 1);
    is_lost(&f, "not-detected");
    assert!(text(&f, "why").contains("leaves out v"), "{f}");
    assert!(text(&f, "remedy").contains("rv64gc_v_zvkned"), "{f}");
}

/// The library is configured for an extension that the hart lacks: an illegal instruction ends it.
#[test]
fn a_capability_string_beyond_the_hart_is_wrong() {
    let f = finding(&["--isa", "rv64gcv", "--env", "OPENSSL_riscvcap=rv64gc_v_zvkned"], 1);
    assert_eq!(text(&f, "verdict"), "wrong", "{f}");
    let remedy = text(&f, "remedy");
    assert!(remedy.contains("unset") && remedy.contains("zvkned"), "{f}");
}

/// Stock OpenSSL loads words from wherever the data are. ChaCha20's code loads bytes.
#[test]
fn code_that_unaligned_buffers_end_is_wrong() {
    let trap = ["--misaligned", "vector=trap", "--bytes", "1024"];
    let all = json(&[&trap[..], &["--algorithms", "sha256,chacha20"]].concat(), 1);
    let [sha, chacha] = [0, 1].map(|i| &all["diagnosis"]["findings"][i]);
    assert_eq!(text(sha, "verdict"), "wrong", "{sha}");
    let why = text(sha, "why");
    assert!(
        why.starts_with("ended by SIGBUS if buffers are unaligned") && why.contains("(vle32.v "),
        "{why}"
    );
    assert!(text(sha, "remedy").contains("OPENSSL_riscvcap=rv64gc"), "{sha}");
    assert_eq!(text(chacha, "verdict"), "accelerated", "{chacha}");
    // Code that fails is neither missed nor recommended.
    let f = finding(&[&trap[..2], &["--hide", "zvkned"]].concat(), 0);
    assert!(text(&f, "why").contains("zvkned would fail: ended by SIGBUS"), "{f}");
    let lacks = ["--isa", "rv64gcv_zvkb", "--cost", "--algorithms", "sha256"];
    let all = json(&[&trap[..], &lacks].concat(), 0);
    assert_eq!(all["cost"][0]["adds"], serde_json::json!([]), "{}", all["cost"]);
}

#[test]
fn cost_shows_what_an_absent_extension_would_add() {
    let all = json(&["--isa", "rv64gc", "--cost", "--algorithms", "sm3", "--bytes", "1024"], 0);
    let lines = all["cost"].as_array().unwrap();
    let adds = lines[0]["adds"].to_string();
    assert!(adds.contains("zvksh") && lines[0]["factor"].as_f64().unwrap() > 3.0, "{lines:?}");
    assert_eq!(text(&all["diagnosis"]["findings"][0], "verdict"), "fallback");
}

/// Whatever this machine is, the doctor gives a verdict with a measured proof.
#[test]
fn this_machine_gets_a_verdict() {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let args = ["doctor", "--target", "native", "--algorithms", "aes-128-ctr", "--format", "json"];
    let output = command.args(args).output().unwrap();
    let status = output.status.code().unwrap();
    assert!(status < 2, "{}", String::from_utf8_lossy(&output.stderr));
    let all = conforming("doctor", std::str::from_utf8(&output.stdout).unwrap());
    let f = &all["diagnosis"]["findings"][0];
    assert_eq!(f["slower"], status == 1);
    assert!(f["proof"][0].as_str().unwrap().contains("B/s, the fastest of"), "{f}");
    // Some instructions were tried: at least those of the base, which the compiler itself uses.
    assert!(!all["diagnosis"]["facts"]["capabilities"].as_array().unwrap().is_empty());
}

#[test]
fn usage_errors_name_the_flag() {
    let this = std::env::current_exe().unwrap().display().to_string();
    let wrong: [(&[&str], &[&str]); 20] = [
        (&["--target", "native", "--isa", "rv64gc"], &["--isa", "--target sim"]),
        (&["--target", "native", "--cost"], &["--cost"]),
        (&["--program", "/etc/hostname"], &["--program", "not an ELF file", "a text"]),
        (&["--program", "/nowhere"], &["/nowhere", "no such file"]),
        (&["--program", "/etc"], &["--program /etc", "a directory"]),
        (&["--program", "/dev/zero"], &["not a regular file"]),
        (&["--program", "no-such-program"], &["give its path"]),
        (&["--program", "/etc/hostname", "--env", "A=1"], &["--env", "nothing is run"]),
        (
            &["--subject", "/etc/hostname"],
            &["--subject /etc/hostname", "not an ELF file", "libcrypto.so.3"],
        ),
        (&["--subject", &this], &["no shared library", "openssl:NAME"]),
        (&["--env", "FOO"], &["--env FOO: it has no value", "write OPENSSL_riscvcap=VALUE"]),
        (&["--env", "OPENSSL_riscvcap"], &["it has no value", "OPENSSL_riscvcap=VALUE"]),
        (&["--env", "FOO=1"], &["--env FOO", "OPENSSL_riscvcap=VALUE"]),
        (&["--target", "ssh:"], &["name the host"]),
        (&["--subject", "/nowhere/libcrypto.so.3"], &["--subject", "libcrypto.so.3"]),
        (&["--hide", "zzz"], &["--hide", "zzz"]),
        (&["--package", "A\x1b"], &["--package: invalid package name"]),
        (&["--isa", "rv64gcv0p7"], &["--isa rv64gcv0p7", "v0p7", "leave the version out"]),
        (&["--env", "OPENSSL_armcap=1"], &["--env", "OPENSSL_riscvcap"]),
        (&["--algorithms", "aes-127"], &["aes-127"]),
    ];
    for (args, words) in wrong {
        let (stdout, stderr) = doctor(args, 2);
        assert!(stdout.is_empty(), "{args:?}");
        assert!(words.iter().all(|w| stderr.contains(w)), "{args:?}: {stderr}");
    }
}

/// A failed connection is reported without flags that the doctor does not have.
#[test]
fn a_host_that_cannot_be_reached_is_named() {
    for (client, words) in
        [("false", "does not print an architecture"), ("/nowhere/ssh", "does not start")]
    {
        let mut command = Command::cargo_bin("capvec").unwrap();
        let command = command.args(["doctor", "--target", "ssh:board"]).env("CAPVEC_SSH", client);
        let output = command.assert().code(3).get_output().clone();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("ssh:board") && !stderr.contains("--out"), "{stderr}");
        assert!(stderr.contains(words), "{client}: {stderr}");
    }
}

/// The runtimes that leave unused what a core has, and those that do not.
#[test]
fn runtimes_are_judged_for_a_core() {
    let (text, error) = doctor(&["--runtimes", "--isa", "rv64gcv_zvkned_zvkg"], 1);
    assert_eq!(error, "");
    for line in [
        "no code that uses extensions for AES, GCM",
        "extensions are used for AES, GCM",
        "what to do:",
        "capvec build mbedtls",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("SHA-512"), "the core has nothing for it: {text}");
    let found = json(&["--runtimes"], 1);
    let slower = |name: &str| {
        let all = found["runtimes"].as_array().unwrap().iter();
        all.filter(|r| r["runtime"] == name).all(|r| r["slower"] == true)
    };
    assert!(slower("GnuTLS") && slower("Go crypto") && !slower("Node"), "{found}");
    doctor(&["--runtimes", "--isa", "rv64gc"], 0);
    let (csv, _) = doctor(&["--runtimes", "--format", "csv", "--fail-on", "wrong"], 0);
    assert!(csv.contains("\nlibsodium 1.0.18,,not built,yes,"), "{csv}");
    let (_, error) = doctor(&["--runtimes", "--bytes", "64"], 2);
    assert!(error.contains("nothing is run"), "{error}");
}
