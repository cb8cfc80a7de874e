//! A maintainer's first contact with `capvec ct`: a test annotated for ctgrind, which knows nothing of capvec, is cross-built by
//! Debian's compiler, and one command gives the finding with its line.

use crate::common::{SYSROOT, capvec, output, set_up};
use capvec_record::Arch;
use capvec_sysroot::Store;
use capvec_targets::backend::debian_toolchain;
use std::path::Path;

/// The line of the program's source with this comment.
fn line_of(source: &Path, comment: &str) -> usize {
    let text = std::fs::read_to_string(source).expect("the source");
    1 + text.lines().position(|l| l.contains(comment)).expect(comment)
}

#[test]
fn an_annotated_program_that_was_cross_built_gives_a_finding_with_its_line() {
    set_up();
    let store = Store::from_env().expect("the store");
    let toolchain = debian_toolchain(&store, Arch::Riscv64, &mut |_| ()).expect("the compiler");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest/annotated");
    let source = include.join("test.c");
    let dir = tempfile::tempdir().expect("a directory");
    let mut gcc = toolchain.gcc();
    gcc.args(["-O2", "-g", "-fno-inline", "-static", "-o"]).arg(dir.path().join("test"));
    let built = gcc.arg("-I").arg(&include).arg(&source).output().expect("gcc runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let check = |how: &str, status: i32| {
        let mut command = capvec();
        command.current_dir(dir.path());
        output(command.args(["ct", "--sysroot", SYSROOT, "--", "./test", how]), status).0
    };
    let leak = check("early", 1);
    let line = format!("test.c:{}", line_of(&source, "leaks"));
    assert!(leak.contains("branch on a secret") && leak.contains(&line), "{line}: {leak}");
    let clean = check("steady", 0);
    assert!(clean.contains("no finding"), "{clean}");
}
