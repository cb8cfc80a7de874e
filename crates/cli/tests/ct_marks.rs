//! What the flags of `capvec ct` mark: variables of libraries, which are loaded while the program runs; and flags without effect,
//! with which a check is not complete.

use crate::common::{SYSROOT, capvec, output, set_up};
use capvec_record::Arch;
use capvec_sysroot::Store;
use capvec_targets::backend::debian_toolchain;
use std::path::Path;

/// A directory with `program` and its library, cross-built by Debian's compiler, and a file `key`.
fn built() -> tempfile::TempDir {
    set_up();
    let store = Store::from_env().expect("the store");
    let toolchain = debian_toolchain(&store, Arch::Riscv64, &mut |_| ()).expect("the compiler");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest/loaded.c");
    let dir = tempfile::tempdir().expect("a directory");
    let compile = |flags: &[&str], name: &str, libraries: &[&str]| {
        let mut gcc = toolchain.gcc();
        gcc.current_dir(dir.path()).args(["-O1", "-g", "-fno-inline"]).args(flags);
        gcc.args(["-o", name]).arg(&source).args(libraries);
        let done = gcc.output().expect("gcc runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    compile(&["-shared", "-fPIC"], "libloaded.so", &[]);
    let libraries = ["./libloaded.so", "-Wl,-rpath,$ORIGIN"];
    compile(&["-DPROGRAM"], "program", &libraries);
    std::fs::write(dir.path().join("key"), "12345678").expect("writable");
    dir
}

fn check(dir: &Path, flags: &[&str], which: &str, status: i32) -> (String, String) {
    let mut command = capvec();
    command.current_dir(dir).args(["ct", "--sysroot", SYSROOT]);
    output(command.args(flags).args(["--", "./program", which]), status)
}

#[test]
fn variables_of_libraries_are_secret_until_they_are_overwritten() {
    let dir = built();
    for (variable, which) in
        [("library_data", "data"), ("library_zeros", "zeros"), ("data", "hidden")]
    {
        let (text, _) = check(dir.path(), &["--secret", variable], which, 1);
        let found = text.contains("branch on a secret, once") && text.contains("same_name+");
        assert!(found && text.contains("libloaded.so"), "{variable}: {text}");
    }
    // Functions of the same name in program and library are both meant.
    let (text, _) = check(dir.path(), &["--secret-arg=same_name:0:8"], "data", 1);
    assert!(text.contains("argument 0 of same_name"), "{text}");
    let (text, _) = check(dir.path(), &["--secret=data"], "forked", 0);
    assert!(text.contains("no finding: nothing"), "{text}");
}

#[test]
fn flags_without_effect_leave_the_check_incomplete() {
    let dir = built();
    for (flag, why) in [
        ("--secret=label", "--secret label: the symbol has no size; give label:BYTES"),
        ("--secret-arg=same_name:0:8", "--secret-arg same_name:0:8: the function was never called"),
        ("--secret=data:9", "--secret data: the variable has only 8 bytes"),
        ("--secret=main", "--secret main: it is a function, not a variable"),
        (
            "--secret=own",
            "--secret own: it is thread-local; mark it by a client request or, where it is passed on, by --secret-arg",
        ),
        ("--secret-random", "--secret-random: no random bytes were read"),
        ("--leftovers=same_name", "--leftovers same_name: the function was never called"),
    ] {
        let (text, error) = check(dir.path(), &["--secret=data", flag], "", 3);
        let line = format!("not everything was checked: {why}");
        assert!(text.contains(&format!("no finding; {line}")) && error.contains(&line), "{text}");
    }
    let here = std::fs::canonicalize(dir.path()).expect("a directory");
    let key = format!("--secret-file {}/key: the file was not read", here.display());
    let (text, _) = check(dir.path(), &["--secret=data", "--secret-file=key"], "", 3);
    assert!(text.contains(&key), "{key}: {text}");
    // Symbolic links and standard input lead to files, too.
    std::os::unix::fs::symlink("key", dir.path().join("link")).expect("writable");
    for (flag, input) in [("--secret-file=link", "key"), ("--secret-file=/dev/stdin", "/dev/stdin")]
    {
        let mut command = capvec();
        command.current_dir(dir.path()).args(["ct", "--sysroot", SYSROOT, flag]);
        command
            .args(["--", "./program", "read", input])
            .pipe_stdin(dir.path().join("key"))
            .expect("a file");
        let (text, _) = output(&mut command, 1);
        assert!(
            text.contains("the secret: file ") && text.contains("same_name+"),
            "{flag}: {text}"
        );
    }
    // Nothing is secret at all.
    let (_, error) = check(dir.path(), &["--secret-file=key"], "", 2);
    assert!(error.contains("nothing was secret in this run (--secret-file"), "{error}");
    check(dir.path(), &["--secret=label:8"], "label", 1);
    for (flag, needs) in [("--timing=4", "[PROGRAM]"), ("--caps=scalar", "[PROGRAM]")] {
        let (_, error) = check(dir.path(), &[flag], "", 2);
        assert!(error.contains("cannot be used with") && error.contains(needs), "{error}");
    }
}

/// Bytes that the kernel copies, and those of a file without a name.
#[test]
fn secret_files_are_followed_through_copies_and_deletion() {
    let dir = built();
    for (flag, which) in [("--secret-file=key", "copied"), ("--secret-file=/tmp/key", "deleted")] {
        let (text, _) = check(dir.path(), &[flag], which, 1);
        let found = text.contains("the secret: file ") && text.contains("same_name+");
        assert!(found, "{which}: {text}");
    }
}

#[test]
fn functions_are_noticed_however_control_arrives() {
    let dir = built();
    for (flag, which, argument) in [
        ("--secret-arg=lower:0:8", "fallen", "lower"),
        ("--secret-arg=chosen:0:8", "chosen", "chosen"),
        ("--secret-arg=chosen:0:8", "chosen-in-child", "chosen"),
    ] {
        let (text, _) = check(dir.path(), &[flag], which, 1);
        let secret = format!("the secret: argument 0 of {argument}");
        assert!(text.contains("branch on a secret, once") && text.contains(&secret), "{text}");
    }
}

#[test]
fn a_public_number_next_to_a_secret_stays_public() {
    let dir = built();
    check(dir.path(), &["--secret=data"], "public-float", 0);
}

/// A suppression of one must not hide the other.
#[test]
fn two_things_that_depend_on_secrets_are_two_findings() {
    let dir = built();
    let flags = ["--isa=rv64gcv", "--secret=data"];
    let (text, _) = check(dir.path(), &flags, "masked-address", 1);
    for kind in ["vector access under a secret mask", "access to a secret address"] {
        assert!(text.contains(kind), "{kind}: {text}");
    }
}

#[test]
fn other_code_at_the_same_address_is_another_finding() {
    let dir = built();
    let (text, _) = check(dir.path(), &["--secret=data"], "rewritten", 1);
    assert!(text.contains("2 findings") && text.contains("bne a0, zero"), "{text}");
}

#[test]
fn names_that_are_missing_and_flags_that_count_are_refused() {
    let dir = built();
    for (flag, why) in [
        ("--secret=", "--secret \"\": the name of the variable is missing"),
        ("--secret=:8", "--secret \":8\": the name of the variable is missing"),
        ("--secret-arg=:0:8", "--secret-arg \":0:8\": the name of the function is missing"),
        ("--leftovers=", "--leftovers \"\": the name of the function is missing"),
        ("--declassify=", "--declassify \"\": the name of the function is missing"),
        ("--secret-file=", "a value is required for '--secret-file"),
        ("--stats", "--stats: capvec ct counts nothing"),
        ("--stats-json=x", "--stats: capvec ct counts nothing"),
    ] {
        let (_, error) = check(dir.path(), &[flag], "", 2);
        assert!(error.contains(why), "{flag}: {error}");
    }
    let flags = ["--secret=nowhere", "--leftovers=neither"];
    let (text, _) = check(dir.path(), &flags, "", 2);
    assert!(text.contains("has the symbols nowhere, neither"), "{text}");
}

#[test]
fn functions_that_are_never_called_declassify_nothing() {
    let dir = built();
    let (text, _) = check(dir.path(), &["--secret=data", "--declassify=same_name"], "", 0);
    assert!(
        text.contains("unused: --declassify same_name: the function was never called"),
        "{text}"
    );
    let (text, _) = check(dir.path(), &["--secret=data", "--declassify=main"], "", 0);
    assert!(!text.contains("unused"), "{text}");
}

#[test]
fn extensions_can_be_assumed_to_be_data_independent() {
    let dir = built();
    let run = |flag, status| {
        let flags = ["--isa=rv64gc_zbb", "--secret=data", flag];
        check(dir.path(), &flags, "minimum", status)
    };
    // `zext.h` is an encoding of `packw`, which Zkt lists where there is Zbkb.
    for (isa, status) in [("--isa=rv64gc_zbb", 1), ("--isa=rv64gc_zbb_zbkb", 0)] {
        check(dir.path(), &[isa, "--secret=data"], "zero-extend", status);
    }
    let (text, _) = run("--data-independent=zba", 1);
    assert!(text.contains("secret operand of an instruction outside Zkt and Zvkt, once"), "{text}");
    let (text, _) = run("--data-independent=b", 0);
    assert!(
        text.contains("assumed: the time of the instructions of b, zba, zbb, zbs does not"),
        "{text}"
    );
    let (_, error) = run("--data-independent=zbv", 2);
    assert!(error.contains("no such extension"), "{error}");
}

/// Every flag that `--cases` would ignore.
#[test]
fn flags_of_programs_are_refused_with_cases() {
    for flag in [
        "--timeout=3",
        "--max-insns=9",
        "--memory=1M",
        "--seed=1",
        "--layout=1",
        "--set=x=1",
        "--misaligned=scalar=ok",
        "--isa-file=x",
        "--isa=rv64gc",
        "--secret=key",
        "--data-independent=zbb",
        "--bare",
    ] {
        let (_, error) = output(capvec().args(["ct", "--cases=aes-128-ecb", flag]), 2);
        assert!(error.contains("cannot be used with"), "{flag}: {error}");
    }
}
