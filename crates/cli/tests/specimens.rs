//! `capvec doctor --program` on specimens: files that are built for these tests.
//!
//! Some are built by the compiler of the sysroot, which `make test` sets up; others by compilers of this machine, if it has
//! them.

use crate::common::conforming;
use assert_cmd::Command;
use capvec_util::testing::skipped;
use serde_json::Value;
use std::path::Path;

/// The finding for a file, and the exit status.
fn scanned(path: &Path) -> (Value, i32) {
    let mut command = Command::cargo_bin("capvec").unwrap();
    let output =
        command.args(["doctor", "--format", "json", "--program"]).arg(path).output().unwrap();
    let all = conforming("doctor", std::str::from_utf8(&output.stdout).unwrap());
    (all["files"][0].clone(), output.status.code().unwrap())
}

fn text<'a>(finding: &'a Value, field: &str) -> &'a str {
    finding[field].as_str().unwrap_or_default()
}

fn capvec_run(args: &[&str]) {
    Command::cargo_bin("capvec").unwrap().arg("run").args(args).assert().success();
}

/// A stripped program with Debian's static libcrypto, and libcapvec's portable SHA-256 as a shared library without anything
/// that names it. The guest's compiler builds both.
#[test]
fn stripped_and_portable_code_is_recognised() {
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
    // The program is scanned and not run, so it may lack libcrypto's compression libraries.
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

    let (f, status) = scanned(&dir.path().join("static"));
    assert_eq!(status, 0);
    assert_eq!((text(&f, "verdict"), &f["scan"]["stripped"]), ("accelerated", &Value::Bool(true)));
    assert_eq!(f["scan"]["linkage"], "static");
    assert_eq!(f["scan"]["libraries"][0]["name"], "OpenSSL");
    let uses = f["scan"]["uses"].as_array().unwrap();
    assert!(uses.iter().any(|u| u["extension"] == "zvkned" && u["largest"].as_u64() > Some(100)));
    let (f, status) = scanned(&dir.path().join("libportable.so"));
    assert_eq!((text(&f, "verdict"), status), ("computes itself", 0), "{f}");
    assert!(text(&f, "why").contains("no instruction for SHA-2"), "{f}");
    assert_eq!(f["scan"]["constants"][0]["what"], "SHA-256 constants");
}

/// A stripped Go program for riscv64, built if this machine has a Go toolchain; that needs no network.
#[test]
fn a_go_program_is_recognised() {
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
        skipped("go", "it is not on the path (on Debian and Ubuntu: apt install golang-go)");
        return;
    };
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(why.contains("unsupported GOOS/GOARCH"), "{why}");
        skipped("go", "this one is too old for riscv64");
        return;
    }
    let (f, status) = scanned(&dir.path().join("specimen"));
    assert_eq!(
        (&f["scan"]["stripped"], &f["scan"]["linkage"]),
        (&Value::Bool(true), &"static".into())
    );
    let library = &f["scan"]["libraries"][0];
    assert!(text(library, "name").starts_with("Go crypto (aes, sha256"), "{library}");
    assert_verdict_fits_code(&f, status);
}

/// Asserts that verdict and exit status agree with the code in the file: newer releases may have kernels for riscv64.
fn assert_verdict_fits_code(f: &Value, status: i32) {
    let own = |u: &&Value| u["family"] != "general" && u["family"] != "ghash";
    let mut uses = f["scan"]["uses"].as_array().unwrap().iter().filter(own);
    let built = uses.any(|u| u["largest"].as_u64() >= Some(4));
    let verdict = if built { "accelerated" } else { "not built" };
    assert_eq!((text(f, "verdict"), status), (verdict, i32::from(!built)), "{f}");
}

fn assert_names_rust_crypto(f: &Value) {
    let libraries = f["scan"]["libraries"].as_array().unwrap();
    assert!(libraries.iter().any(|l| text(l, "name").starts_with("RustCrypto")), "{f}");
}

/// A Rust program: capvec itself, which hashes files with RustCrypto's SHA-256. On x86-64 and AArch64 this has accelerated
/// code, selected at run time. The target is the simulator, whose architecture is another.
#[test]
fn a_rust_program_is_recognised() {
    let (f, status) = scanned(Path::new(env!("CARGO_BIN_EXE_capvec")));
    assert_names_rust_crypto(&f);
    match std::env::consts::ARCH {
        "x86_64" | "aarch64" => {
            assert_eq!((text(&f, "verdict"), status), ("other architecture", 0), "{f}")
        }
        _ => assert_verdict_fits_code(&f, status),
    }
}

/// What a command prints, trimmed; empty if it fails or does not exist.
fn output(program: &str, args: &[&str]) -> String {
    let output = std::process::Command::new(program).args(args).output();
    let text = output.ok().filter(|o| o.status.success()).map(|o| o.stdout).unwrap_or_default();
    String::from_utf8_lossy(&text).trim().to_string()
}

/// A Rust program for riscv64 with crates of this workspace, built if this machine has the standard library and a linker.
#[test]
fn a_rust_program_for_riscv64_is_recognised() {
    let (target, linker) = ("riscv64gc-unknown-linux-gnu", "riscv64-linux-gnu-gcc");
    let std = output("rustc", &["--print", "target-libdir", "--target", target]);
    if !Path::new(&std).is_dir() {
        skipped("rust-std", format_args!("rustup target add {target}"));
        return;
    }
    if output(linker, &["--version"]).is_empty() {
        skipped(linker, "on Debian and Ubuntu: apt install gcc-riscv64-linux-gnu");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let package = "[package]\nname = \"specimen\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
    write("Cargo.toml", &format!("{package}[dependencies]\nsha2 = \"*\"\n[workspace]\n"));
    let program = "use sha2::{Digest, Sha256};\nfn main() {\n    let name = std::env::args().next().unwrap_or_default();\n    \
                   println!(\"{:02x?}\", &Sha256::digest(name.as_bytes())[..]);\n}\n";
    write("src/main.rs", program);
    // Only the versions that the workspace uses are available offline.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    std::fs::copy(lock, dir.path().join("Cargo.lock")).unwrap();
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.current_dir(dir.path()).args(["build", "--quiet", "--offline", "--target", target]);
    cargo.env("CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER", linker);
    cargo.env("CARGO_TARGET_DIR", dir.path().join("target")).env_remove("RUSTFLAGS");
    let made = cargo.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (f, status) = scanned(&dir.path().join("target").join(target).join("debug/specimen"));
    assert_names_rust_crypto(&f);
    assert_eq!(f["scan"]["machine"], "riscv64");
    assert_verdict_fits_code(&f, status);
    assert!(status == 0 || text(&f, "remedy").contains("target-feature"), "{f}");
}

/// A path is looked up on the target first: this machine may have a program of the same name.
#[test]
fn a_program_is_looked_up_on_the_target_first() {
    let (f, _) = scanned(Path::new("/usr/bin/openssl"));
    assert_eq!(f["scan"]["machine"], "riscv64", "{f}");
}
