//! Builds of libcapvec: without each of its features, by make and by CMake, installed and found again. Tests whose
//! tools are missing are skipped, with a report.

use capvec_util::testing::skipped;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    std::fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto")).unwrap()
}

/// A directory that keeps its files for the next run, so that make need not rebuild what is up to date.
fn kept(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// An empty directory for this test.
fn fresh(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn run(command: &mut Command) -> Output {
    let shown = format!("{command:?}");
    command.output().unwrap_or_else(|e| panic!("{shown}: {e}"))
}

fn succeed(command: &mut Command) -> String {
    let (shown, output) = (format!("{command:?}"), run(command));
    let [out, error] = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
    assert!(output.status.success(), "{shown}\n{out}\n{error}");
    out
}

/// Whether this tool exists; reports the skipped test if not.
fn exists(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        skipped(tool, "it is not installed");
    }
    found
}

fn make(build: &Path, arguments: &[&str]) -> Command {
    let mut make = Command::new("make");
    make.arg("-C").arg(root()).arg(format!("BUILD={}", build.display()));
    make.args(arguments).env_remove("MAKEFLAGS").env_remove("MFLAGS");
    make
}

/// Features with files of their own, or the parameter sets, which have none.
fn names(with_files: bool) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("features.txt")).unwrap();
    let lines = text.lines().filter(|l| !l.starts_with('#') && l.contains(' ') == with_files);
    lines.map(|l| l.split(' ').next().unwrap().to_string()).collect()
}

fn features() -> Vec<String> {
    names(true)
}

/// Objects of sources that depend on the features left out.
fn depends(build: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for dir in ["src", "native/riscv64", "native/riscv32"] {
        for entry in std::fs::read_dir(root().join(dir)).unwrap() {
            let path = entry.unwrap().path();
            if std::fs::read_to_string(&path).unwrap().contains("CV_NO_") {
                let name = path.file_name().unwrap().to_str().unwrap();
                found.push(build.join(dir).join(format!("{name}.o")));
            }
        }
    }
    found
}

/// Builds and links without each feature, with only one cipher, and with only one hash. The shared library must have
/// no undefined symbols. Objects that do not depend on features are built once: for make, the settings have not changed (`-o`).
fn without_features(cc: &str) {
    let build = fresh(&format!("without-{cc}"));
    let build = build.as_path();
    let flags = [format!("CC={cc}"), "CFLAGS=-O1 -Werror".to_string()];
    let flags = flags.each_ref().map(String::as_str);
    succeed(make(build, &["-j2"]).args(flags));
    let settings = format!("--old-file={}", build.join("settings").display());
    let all = features();
    let but = |keep: &[&str]| {
        let out: Vec<&str> = all.iter().map(String::as_str).filter(|f| !keep.contains(f)).collect();
        out.join(" ")
    };
    let many = [but(&["AES"]), but(&["SHA2", "HMAC"]), but(&["CHACHA20", "POLY1305"])];
    for no in all.iter().chain(&many) {
        for object in depends(build) {
            let _ = std::fs::remove_file(object);
        }
        for library in ["libcapvec.a", "libcapvec.so"] {
            std::fs::remove_file(build.join(library)).unwrap();
        }
        let no = format!("NO={no}");
        succeed(make(build, &[&no, &settings, "-j2"]).args(flags));
    }
    let refused = run(&mut make(build, &["NO=ROT13"]));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && message.contains("ROT13: no such feature"), "{message}");
}

#[test]
fn each_feature_can_be_left_out() {
    without_features("cc");
}

/// Whether a compiler has the headers of a C library; reports the skipped test if not.
fn has_headers(cc: &str) -> bool {
    let dir = kept("headers");
    std::fs::write(dir.join("main.c"), "#include <string.h>\n").unwrap();
    let mut compile = Command::new(cc);
    compile.args(["-c", "-o"]).arg(dir.join("main.o")).arg(dir.join("main.c"));
    let has = run(&mut compile).status.success();
    if !has {
        skipped(cc, "it finds no headers of a C library");
    }
    has
}

#[test]
fn each_feature_can_be_left_out_of_riscv64() {
    let cc = "riscv64-linux-gnu-gcc";
    if exists(cc) && has_headers(cc) {
        without_features(cc);
    }
}

/// Features and parameter sets that remain, and functions that the library then has and lacks.
const POST_QUANTUM: [(&[&str], &[&str], &[&str]); 4] = [
    (
        &["SHA3", "MLKEM", "MLKEM768"],
        &["cv_mlkem768", "cv_mlkem_decaps"],
        &["cv_mlkem512", "cv_mldsa_verify"],
    ),
    (
        &["SHA3", "MLDSA", "MLDSA65"],
        &["cv_mldsa65", "cv_mldsa_verify"],
        &["cv_mldsa_sign", "cv_mldsa_generate", "cv_mldsa87"],
    ),
    (
        &["SHA2", "HMAC", "SHA3", "SLHDSA", "SLHDSA_SHA2", "SLHDSA_SHA2_128S"],
        &["cv_slhdsa_sha2_128s", "cv_slhdsa_sign"],
        &["cv_slhdsa_shake_128s", "cv_mlkem_encaps"],
    ),
    (&["SHA3"], &["cv_hash_init"], &["cv_mlkem_encaps", "cv_mldsa_verify", "cv_slhdsa_verify"]),
];

/// Each scheme and parameter set can be left out, and so can what verification does not need.
#[test]
fn single_parameter_sets_can_be_kept() {
    let build = fresh("sets");
    let all: Vec<String> = names(true).into_iter().chain(names(false)).collect();
    for (keep, has, lacks) in POST_QUANTUM {
        let out: Vec<&str> = all.iter().map(String::as_str).filter(|f| !keep.contains(f)).collect();
        let no = format!("NO={}", out.join(" "));
        let _ = std::fs::remove_dir_all(&build);
        succeed(&mut make(&build, &["-j2", "-s", &no, "CFLAGS=-O1 -Werror"]));
        let symbols = succeed(Command::new("nm").arg("-D").arg(build.join("libcapvec.so")));
        let found = |name: &&&str| symbols.lines().any(|l| l.ends_with(&format!(" {name}")));
        assert!(has.iter().all(|name| found(&name)), "{keep:?}: {symbols}");
        assert!(!lacks.iter().any(|name| found(&name)), "{keep:?}: {symbols}");
    }
}

/// Whether ThreadSanitizer works; reports the skipped test if not.
fn finds_races(dir: &Path) -> bool {
    let (source, program) = (dir.join("main.c"), dir.join("main"));
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let mut cc = Command::new("cc");
    cc.arg("-fsanitize=thread").arg(&source).arg("-o").arg(&program);
    let works = run(&mut cc).status.success() && run(&mut fixed(&program)).status.success();
    if !works {
        skipped("thread-sanitizer", "cc -fsanitize=thread makes no program that runs here");
    }
    works
}

/// Runs a program without address randomisation: some kernels randomise more than the ThreadSanitizer of gcc 12
/// supports.
fn fixed(program: &Path) -> Command {
    let mut command = Command::new("setarch");
    command.arg("--addr-no-randomize").arg(program);
    command
}

/// Threads first use the library at the same time, and change its capabilities meanwhile.
#[test]
fn threads_may_first_use_the_library_at_once() {
    let build = kept("threads");
    let plain = build.join("plain");
    succeed(&mut make(&plain, &["-j2", "CFLAGS=-O1", "threads"]));
    assert_eq!(succeed(&mut Command::new(plain.join("threads"))), "threads checked\n");
    if finds_races(&build) {
        succeed(&mut make(&build, &["-j2", "CFLAGS=-g -O1 -fsanitize=thread", "threads"]));
        assert_eq!(succeed(&mut fixed(&build.join("threads"))), "threads checked\n");
    }
}

/// Every file that a feature names exists, and `make sizes` adds up.
#[test]
fn sizes_by_feature_add_up() {
    let build = kept("sizes");
    let text = succeed(&mut make(&build, &["-s", "-j2", "sizes", "CFLAGS=-O1"]));
    let rows: Vec<(u64, &str)> = text
        .lines()
        .filter_map(|l| l.trim().split_once("  "))
        .map(|(n, f)| (n.trim().parse().unwrap(), f))
        .collect();
    let (last, parts) = rows.split_last().unwrap();
    assert_eq!((last.1, parts.len()), ("all", features().len() + 1), "{text}");
    assert_eq!(last.0, parts.iter().map(|p| p.0).sum::<u64>(), "{text}");
    assert!(parts.iter().all(|p| p.0 > 0), "{text}");
}

/// A user of the library, which prints the first byte of a hash.
const MAIN: &str = r#"#include <capvec.h>
#include <stdio.h>
int main(void)
{
    unsigned char digest[32];
    if (cv_init(NULL) != CV_OK)
        return 1;
    cv_hash_message(&cv_sha256, digest, (const unsigned char *)"abc", 3);
    printf("%02x\n", digest[0]);
    return 0;
}
"#;

/// Configures, builds and runs a project that uses the library, with these lines of CMake.
fn project(name: &str, lines: &str, options: &[String]) {
    let dir = fresh(name);
    let text = format!(
        "cmake_minimum_required(VERSION 3.16)\nproject(user C)\n{lines}\nadd_executable(user main.c)\n\
         target_link_libraries(user capvec::capvec)\n"
    );
    std::fs::write(dir.join("CMakeLists.txt"), text).unwrap();
    std::fs::write(dir.join("main.c"), MAIN).unwrap();
    let build = dir.join("build");
    succeed(Command::new("cmake").arg("-S").arg(&dir).arg("-B").arg(&build).args(options));
    succeed(Command::new("cmake").arg("--build").arg(&build));
    // FIPS 180-4's example: ba7816bf…
    assert_eq!(succeed(&mut Command::new(build.join("user"))), "ba\n");
}

#[test]
fn cmake_takes_it_as_a_directory() {
    if exists("cmake") {
        let lines = format!("add_subdirectory({} capvec)", root().display());
        project("directory", &lines, &["-DCAPVEC_NO=SM4;OCB".into()]);
    }
}

#[test]
fn cmake_finds_what_make_has_installed() {
    if !exists("cmake") {
        return;
    }
    let (build, prefix) = (fresh("installed-build"), fresh("installed"));
    let to = format!("PREFIX={}", prefix.display());
    succeed(&mut make(&build, &["-j2", "CFLAGS=-O1", "install", &to]));
    let path = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    project("found", "find_package(capvec 0.2 REQUIRED)", std::slice::from_ref(&path));
    let shared = "find_package(capvec REQUIRED)\nif(NOT TARGET capvec::shared)\nmessage(FATAL_ERROR none)\nendif()";
    project("found-shared", shared, std::slice::from_ref(&path));
    let newer = "find_package(capvec 0.3 QUIET)\nif(capvec_FOUND)\nmessage(FATAL_ERROR old)\nendif()\n\
                 find_package(capvec REQUIRED)";
    project("newer", newer, std::slice::from_ref(&path));
    if exists("pkg-config") {
        let at = prefix.join("lib/pkgconfig");
        let flags = succeed(
            Command::new("pkg-config")
                .args(["--cflags", "--libs", "capvec"])
                .env("PKG_CONFIG_PATH", at),
        );
        let lib = format!("-L{}", prefix.join("lib").display());
        assert!(flags.contains(&lib) && flags.contains("-lcapvec"), "{flags}");
    }
}

#[test]
fn cmake_finds_what_cmake_has_installed() {
    if !exists("cmake") {
        return;
    }
    let (build, prefix) = (fresh("cmake-build"), fresh("cmake-installed"));
    let to = format!("-DCMAKE_INSTALL_PREFIX={}", prefix.display());
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root()).arg("-B").arg(&build).arg(to).arg("-DBUILD_SHARED_LIBS=ON");
    succeed(&mut configure);
    succeed(Command::new("cmake").arg("--build").arg(&build).args(["--target", "install"]));
    let path = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    project("found-cmake", "find_package(capvec 0.2 REQUIRED)", &[path]);
}
