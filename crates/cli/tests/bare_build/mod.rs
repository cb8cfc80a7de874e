//! Builds programs of libcapvec for harts without an operating system, and runs them.

use capvec_bare::testing::compile;
pub use capvec_bare::testing::compile::{For, build_with};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory of the programs of a Makefile below `crypto/`; `None` if no compiler builds them.
pub fn build(makefile: &str, f: &For) -> Option<PathBuf> {
    compile::build(concat!(env!("CARGO_TARGET_TMPDIR"), "/bare-cli"), makefile, f)
}

/// Runs a program on a hart with this ISA; returns what it prints.
pub fn run(program: &Path, isa: &str) -> String {
    let mut run = Command::new(env!("CARGO_BIN_EXE_capvec"));
    run.args(["run", "--bare", "--core", "ideal", "--isa", isa]).arg(program);
    let out = run.output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    text
}
