//! Every target on its committed corpus and in rounds of random decisions. `CAPVEC_SEED` selects the decisions,
//! `CAPVEC_ROUNDS` sets the number of rounds for each target. A program of its own, because `caps` changes the capabilities
//! of the whole process.

use capvec_cryptotest::guarded::{Guarded, Place};
use capvec_cryptotest::{Source, TARGETS, fuzz};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text}: must be a number")))
}

fn seed() -> u64 {
    number("CAPVEC_SEED").unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.expect("a clock after 1970").as_nanos() as u64
    })
}

fn corpus(name: &str) -> Vec<PathBuf> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let dir = dir.join(format!("crypto_{name}"));
    let entries = std::fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    entries.map(|e| e.unwrap().path()).collect()
}

fn check(what: impl std::fmt::Display, run: impl FnOnce()) {
    if let Err(cause) = catch_unwind(AssertUnwindSafe(run)) {
        eprintln!("fails: {what}");
        resume_unwind(cause);
    }
}

/// In half of the random rounds, every buffer touches a guard page. One test in one thread: `caps` changes global
/// state.
#[test]
fn every_mode_agrees_with_rustcrypto() {
    let seed = seed();
    // Not captured, because hitting a guard page ends the process.
    writeln!(std::io::stderr(), "CAPVEC_SEED={seed}").unwrap();
    for (name, target) in TARGETS {
        for file in corpus(name) {
            check(file.display(), || fuzz(name, &std::fs::read(&file).unwrap()));
        }
        // A round of SLH-DSA takes a tenth of a second.
        let rounds = number("CAPVEC_ROUNDS").unwrap_or(if *name == "slhdsa" { 4 } else { 120 });
        for round in 0..rounds {
            let mut source = Source::random(seed ^ round << 32);
            source.at_the_edge = round % 2 == 0;
            let what = format_args!("{name} with CAPVEC_SEED={seed} in round {round}").to_string();
            check(what, || target(&mut source));
        }
    }
}

/// Buffers detect writes next to them.
#[test]
fn canaries_detect_writes() {
    for offset in [-1, 3] {
        let buffer = Guarded::new(&[1, 2, 3], Place::Offset(7));
        let at = buffer.ptr().wrapping_offset(offset);
        // SAFETY: a byte of the readable page that the buffer is in.
        unsafe { at.write(0) };
        let found = catch_unwind(AssertUnwindSafe(|| drop(buffer.bytes().to_vec())));
        assert!(found.is_err(), "{offset}");
        // SAFETY: the same.
        unsafe { at.write(0xa5) };
    }
}

/// Guard pages are unreadable: a child dies if it reads there, and not if it reads inside.
#[test]
fn guards_are_unreadable() {
    use std::os::unix::process::ExitStatusExt;
    const VARIABLE: &str = "CAPVEC_TEST_READ";
    if let Some(which) = number(VARIABLE) {
        let (place, offset) =
            [(Place::Begin, -1), (Place::End, 3), (Place::End, 2)][which as usize];
        let buffer = Guarded::new(&[1, 2, 3], place);
        // SAFETY: none; this is meant to kill the process.
        println!("{}", unsafe { buffer.ptr().wrapping_offset(offset).read_volatile() });
        return;
    }
    for (which, dies) in [("0", true), ("1", true), ("2", false)] {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "guards_are_unreadable"]).env(VARIABLE, which);
        child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let status = child.status().unwrap();
        // A sanitizer reports the signal and exits.
        let died = status.signal().is_some() || !status.success();
        assert_eq!(died, dies, "{which}: {status}");
    }
}
