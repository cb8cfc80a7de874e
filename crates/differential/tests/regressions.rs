//! Regression tests: every engine runs every file in `regressions/` and must leave what the file states. This needs
//! no oracle; `make differential-regressions` checks what the files say about it.

use capvec_differential::both_sides::EngineKind;
use capvec_differential::known_differences;
use capvec_differential::regression::Regression;
use capvec_differential::signals;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let entries = std::fs::read_dir(&dir).expect("the directory of regressions");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn every_engine_leaves_the_expected_state() {
    let files = files();
    assert!(files.len() >= 40, "only {} regressions", files.len());
    for path in &files {
        let test = Regression::read(path).unwrap_or_else(|e| panic!("{e:#}"));
        for engine in EngineKind::ALL {
            let left = test.replay(engine).unwrap_or_else(|e| panic!("{}: {e:#}", path.display()));
            assert_eq!(left, test.expect, "{} with {engine:?}", path.display());
        }
    }
}

#[test]
fn recorded_disassembly_agrees_with_the_table() {
    for path in files() {
        let test = Regression::read(&path).unwrap_or_else(|e| panic!("{e:#}"));
        assert_eq!(test.disassembled().expect("words in hex"), test.words, "{}", path.display());
    }
}

#[test]
fn every_verdict_is_decided_and_explained() {
    for path in files() {
        let test = Regression::read(&path).unwrap_or_else(|e| panic!("{e:#}"));
        let agree = test.oracle.is_none();
        let known = ["both", "either", "capvec", "qemu"].contains(&test.right.as_str());
        assert!(known && agree == (test.right == "both"), "{}: {}", path.display(), test.right);
        assert!(
            test.reason.contains("manual") || test.reason.contains("QEMU"),
            "{}",
            path.display()
        );
    }
}

#[test]
fn soundness_names_every_known_difference() {
    let doc = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/soundness.md");
    let text = std::fs::read_to_string(&doc).expect("docs/soundness.md");
    let names = known_differences::KNOWN.iter().map(|k| (k.name, k.reason));
    let signals = signals::KNOWN_SIGNALS.iter().map(|k| (k.name, k.reason));
    for (name, reason) in names.chain(signals) {
        assert!(
            text.contains(&format!("| {name} | {reason} |")),
            "docs/soundness.md lacks: {name}"
        );
    }
}
