//! `capvec doctor` from outside: on targets that are made bad on purpose, and on files.
//!
//! Runs the stock library in the simulator; needs the sysroot, as `make test` sets it up.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

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
    serde_json::from_str(&stdout).unwrap()
}

/// The finding of the one algorithm that was asked for.
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
fn a_core_that_is_shown_as_it_is_is_used() {
    let f = finding(&[], 0);
    assert_eq!((text(&f, "verdict"), &f["lost"]), ("accelerated", &Value::Null));
    assert!(f["over_scalar"].as_f64().unwrap() > 5.0);
    let proof = f["proof"].to_string();
    assert!(proof.contains("of zvkned") && proof.contains("told to use nothing"), "{proof}");
}

#[test]
fn what_the_kernel_hides_is_found_and_measured() {
    let f = finding(&["--hide", "zvkned"], 1);
    is_lost(&f, "hidden-by-kernel");
    assert!(text(&f, "why").contains("zvkned") && text(&f, "remedy").contains("Linux 6.8"));
    let f = finding(&["--no-hwprobe"], 1);
    is_lost(&f, "hidden-by-kernel");
    assert!(text(&f, "why").contains("riscv_hwprobe") && text(&f, "remedy").contains("seccomp"));
}

#[test]
fn a_capability_string_that_drops_v() {
    let f = finding(&["--env", "OPENSSL_riscvcap=rv64gcv_zvkned"], 1);
    is_lost(&f, "not-detected");
    assert!(text(&f, "why").contains("leaves out v"), "{f}");
    assert!(text(&f, "remedy").contains("rv64gc_v_zvkned"), "{f}");
}

/// The library is told of what the hart lacks: it is ended by an illegal instruction.
#[test]
fn a_capability_string_beyond_the_hart_is_wrong() {
    let f = finding(&["--isa", "rv64gcv", "--env", "OPENSSL_riscvcap=rv64gc_v_zvkned"], 1);
    assert_eq!(text(&f, "verdict"), "wrong", "{f}");
    let remedy = text(&f, "remedy");
    assert!(remedy.contains("unset") && remedy.contains("zvkned"), "{f}");
}

#[test]
fn what_an_absent_extension_would_bring() {
    let all = json(&["--isa", "rv64gc", "--cost", "--algorithms", "sm3", "--bytes", "1024"], 0);
    let lines = all["cost"].as_array().unwrap();
    let adds = lines[0]["adds"].to_string();
    assert!(adds.contains("zvksh") && lines[0]["factor"].as_f64().unwrap() > 3.0, "{lines:?}");
    assert_eq!(text(&all["diagnosis"]["findings"][0], "verdict"), "fallback");
}

fn capvec_run(args: &[&str]) {
    Command::cargo_bin("capvec").unwrap().arg("run").args(args).assert().success();
}

/// A program with Debian's own static libcrypto, and libcapvec's portable SHA-256 as a shared library: what a build without
/// assembly is. Both are made by the guest's compiler.
#[test]
fn stripped_and_portable_specimens() {
    let dir = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto");
    std::fs::write(
        dir.path().join("use.c"),
        "#include <openssl/evp.h>\nint main(void) { return EVP_aes_128_gcm() == 0; }\n",
    )
    .unwrap();
    let binds = [
        format!("--bind={}:/made:rw", dir.path().display()),
        format!("--bind={}:/source", source.display()),
    ];
    let gcc = [
        "--sysroot",
        "trixie-riscv64-build",
        "--core",
        "ideal",
        &binds[0],
        &binds[1],
        "--",
        "gcc",
        "-w",
    ];
    // Only looked at, not run: what compresses is not there.
    let link = [
        "-static",
        "-s",
        "/made/use.c",
        "-o",
        "/made/static",
        "-lcrypto",
        "-Wl,--unresolved-symbols=ignore-all",
    ];
    capvec_run(&[&gcc[..], &link].concat());
    let include = ["-I/source/include", "-I/source/src", "-I/source/native"];
    let share = [
        "-O2",
        "-shared",
        "-fPIC",
        "-s",
        "/source/src/sha256_portable.c",
        "/source/src/sha2_constants.c",
    ];
    capvec_run(&[&gcc[..], &include, &share, &["-o", "/made/libportable.so"]].concat());

    let scan = |name: &str, code: i32| {
        let path = dir.path().join(name);
        json(&["--program", path.to_str().unwrap()], code)["files"][0].clone()
    };
    let f = scan("static", 0);
    assert_eq!((text(&f, "verdict"), &f["scan"]["stripped"]), ("accelerated", &Value::Bool(true)));
    assert_eq!(f["scan"]["linkage"], "static");
    assert_eq!(f["scan"]["libraries"][0]["name"], "OpenSSL");
    let uses = f["scan"]["uses"].as_array().unwrap();
    assert!(uses.iter().any(|u| u["extension"] == "zvkned" && u["largest"].as_u64() > Some(100)));
    let f = scan("libportable.so", 1);
    assert_eq!(text(&f, "verdict"), "not built", "{f}");
    assert_eq!(f["scan"]["constants"][0]["what"], "SHA-256 constants");
}

fn scanned(path: &Path, flags: &[&str], code: i32) -> Value {
    json(&[&["--program", path.to_str().unwrap()], flags].concat(), code)["files"][0].clone()
}

/// A Go program for riscv64, stripped, made here where there is a Go toolchain; it needs no network.
#[test]
fn a_go_program() {
    let dir = tempfile::tempdir().unwrap();
    let source = "package main\n\nimport (\n\t\"crypto/aes\"\n\t\"crypto/cipher\"\n\t\"crypto/sha256\"\n\t\"os\"\n)\n\n\
        func main() {\n\tsum := sha256.Sum256([]byte(os.Args[0]))\n\tblock, _ := aes.NewCipher(sum[:])\n\t\
        gcm, _ := cipher.NewGCM(block)\n\tos.Stdout.Write(gcm.Seal(nil, sum[:12], sum[:], nil))\n}\n";
    std::fs::write(dir.path().join("main.go"), source).unwrap();
    std::fs::write(dir.path().join("go.mod"), "module specimen\n\ngo 1.20\n").unwrap();
    let mut go = std::process::Command::new("go");
    go.current_dir(dir.path()).args([
        "build",
        "-trimpath",
        "-ldflags=-s -w",
        "-o",
        "specimen",
        ".",
    ]);
    let fixed = [("GOOS", "linux"), ("GOARCH", "riscv64"), ("CGO_ENABLED", "0")];
    go.envs(fixed).env("GOTOOLCHAIN", "local").env("GOPROXY", "off").env("GOFLAGS", "");
    let Ok(output) = go.output() else {
        eprintln!(
            "skipped: no Go toolchain on the path (on Debian and Ubuntu: apt install golang-go)"
        );
        return;
    };
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(why.contains("unsupported GOOS/GOARCH"), "{why}");
        eprintln!("skipped: this Go toolchain is too old for riscv64");
        return;
    }
    let mut command = Command::cargo_bin("capvec").unwrap();
    let path = dir.path().join("specimen");
    let output =
        command.args(["doctor", "--format", "json", "--program"]).arg(&path).output().unwrap();
    let f: Value = serde_json::from_slice(&output.stdout).unwrap();
    let f = &f["files"][0];
    assert_eq!(
        (&f["scan"]["stripped"], &f["scan"]["linkage"]),
        (&Value::Bool(true), &"static".into())
    );
    let library = &f["scan"]["libraries"][0];
    assert!(text(library, "name").starts_with("Go crypto (aes, sha256"), "{library}");
    // Newer releases have more kernels for riscv64: what there is decides, and the exit status says the same.
    let verdict = text(f, "verdict");
    assert!(["not built", "accelerated"].contains(&verdict), "{f}");
    assert_eq!(output.status.code(), Some(i32::from(verdict == "not built")));
}

/// A Rust program: this one, which digests files by RustCrypto's SHA-256.
#[test]
fn a_rust_program() {
    let f = scanned(Path::new(env!("CARGO_BIN_EXE_capvec")), &["--target", "native"], 0);
    let libraries = f["scan"]["libraries"].as_array().unwrap();
    assert!(libraries.iter().any(|l| text(l, "name").starts_with("RustCrypto")), "{f}");
    assert_eq!(text(&f, "verdict"), "accelerated", "{f}");
}

/// Whatever this machine is, there is a verdict, and it is proved by what was measured.
#[test]
fn this_machine() {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let args = ["doctor", "--target", "native", "--algorithms", "aes-128-ctr", "--format", "json"];
    let output = command.args(args).output().unwrap();
    let status = output.status.code().unwrap();
    assert!(status < 2, "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    let f = &all["diagnosis"]["findings"][0];
    assert_eq!(f["slower"], status == 1);
    assert!(f["proof"][0].as_str().unwrap().contains("kB/s"), "{f}");
    // The compiler's own code has the base, at least: something was tried.
    assert!(!all["diagnosis"]["facts"]["capabilities"].as_array().unwrap().is_empty());
}

#[test]
fn usage_errors_name_the_flag() {
    let wrong: [(&[&str], &[&str]); 8] = [
        (&["--target", "native", "--isa", "rv64gc"], &["--isa", "--target sim"]),
        (&["--target", "native", "--cost"], &["--cost"]),
        (&["--program", "/etc/hostname"], &["--program", "no ELF file"]),
        (&["--program", "/nowhere"], &["/nowhere"]),
        (&["--library", "/nowhere/libcrypto.so.3"], &["--library", "libcrypto.so.3"]),
        (&["--hide", "zzz"], &["--hide", "zzz"]),
        (&["--env", "OPENSSL_armcap=1"], &["--env", "OPENSSL_riscvcap"]),
        (&["--algorithms", "aes-127"], &["aes-127"]),
    ];
    for (args, words) in wrong {
        let (stdout, stderr) = doctor(args, 2);
        assert!(stdout.is_empty(), "{args:?}");
        assert!(words.iter().all(|w| stderr.contains(w)), "{args:?}: {stderr}");
    }
}
