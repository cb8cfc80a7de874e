//! Builds programs of libcapvec for harts without an operating system, and runs them.

use capvec_bare::testing::compile;
pub use capvec_bare::testing::compile::For;
use capvec_util::testing::found;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests need: its name in `CAPVEC_NO_SKIP`.
const COMPILER: &str = "riscv-compiler";

/// Builds the programs of a Makefile below `crypto/` and returns their directory. Without a compiler, reports that and returns `None`.
pub fn build(makefile: &str, f: &For) -> Option<PathBuf> {
    let kept = concat!(env!("CARGO_TARGET_TMPDIR"), "/bare-cli");
    found(COMPILER, compile::build(kept, makefile, f))
}

/// The same in this directory, with further arguments of make.
pub fn build_with(dir: &Path, makefile: &str, f: &For, arguments: &[&str]) -> Option<()> {
    found(COMPILER, compile::build_with(dir, makefile, f, arguments))
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
