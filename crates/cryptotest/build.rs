//! Compiles `crypto/` for the host. Under `-Zsanitizer=address` the C code is instrumented, too, by clang, whose
//! runtime rustc links: with AddressSanitizer, with UndefinedBehaviorSanitizer, whose findings trap, and with
//! libFuzzer's coverage counters.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    let root = Path::new("../../crypto");
    let native = match std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() {
        Ok("riscv64") => Some("native/riscv64"),
        _ => None,
    };
    let mut build = cc::Build::new();
    build.std("c11").opt_level(2).extra_warnings(true).warnings_into_errors(true);
    for dir in ["include", "native", "src"].into_iter().chain(native) {
        build.include(root.join(dir));
    }
    sources(&mut build, &root.join("src"));
    match native {
        Some(dir) => sources(&mut build, &root.join(dir)),
        None => drop(build.file(root.join("native/none.c"))),
    }
    build.file("c/sizes.c").file("c/limits.c");
    if std::env::var("CARGO_CFG_SANITIZE").is_ok_and(|s| s.contains("address")) {
        sanitize(&mut build);
    }
    println!("cargo:rerun-if-changed={}", root.display());
    println!("cargo:rerun-if-changed=c");
    println!("cargo:rerun-if-env-changed=CAPVEC_CLANG");
    build.compile("capvec");
}

/// All source files of a directory, in an order independent of the file system.
fn sources(build: &mut cc::Build, dir: &Path) {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("a directory's entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c" || e == "S"));
    files.sort();
    build.files(files);
}

fn sanitize(build: &mut cc::Build) {
    let own = std::env::var("CAPVEC_CLANG").ok();
    // The plain name may be an old release: clang 14 crashes with these flags.
    let usual = ["clang-21", "clang-20", "clang-19", "clang-18", "clang"].map(String::from);
    let runs = |c: &String| {
        let mut c = Command::new(c);
        c.arg("--version").stdout(Stdio::null()).status().is_ok_and(|s| s.success())
    };
    let Some(clang) = own.into_iter().chain(usual).find(runs) else {
        panic!("the sanitizers for C need clang: install it, or set CAPVEC_CLANG to its path");
    };
    build.compiler(clang).debug(true);
    build.flag("-fsanitize=address,undefined").flag("-fsanitize-trap=undefined");
    build.flag("-fno-omit-frame-pointer");
    if std::env::var_os("CARGO_CFG_FUZZING").is_some() {
        build.flag("-fsanitize=fuzzer-no-link");
    }
}
