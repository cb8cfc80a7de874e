//! Faults of the machine that capvec runs on: a full disk gives a clear error, and no file is left half-written.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A command whose files can grow to `blocks` of 512 bytes and no further, as on a full disk.
fn limited(blocks: u32, args: &str, dir: &Path) -> Command {
    let mut c = Command::new("sh");
    let line = format!("ulimit -f {blocks}; exec \"$CAPVEC\" {args}");
    c.env("CAPVEC", env!("CARGO_BIN_EXE_capvec")).current_dir(dir).args(["-c", &line]);
    c
}

#[test]
fn a_full_disk_is_reported_and_leaves_no_half_written_result() {
    let dir = tempfile::tempdir().unwrap();
    let args = "bench -q --cases sha256 --caps scalar --bytes 64 --out out";
    let out = limited(0, args, dir.path()).output().unwrap();
    let err = text(&out.stderr);
    assert_eq!(out.status.code(), Some(3), "{err}");
    assert!(err.contains("--out") && err.contains("large"), "{err}");
    let left: Vec<_> = walk(&dir.path().join("out"));
    assert!(left.iter().all(|f| std::fs::metadata(f).unwrap().len() == 0), "{left:?}");
    // Once there is room, the same command succeeds.
    let mut again = Command::new(env!("CARGO_BIN_EXE_capvec"));
    again.current_dir(dir.path()).args(args.split(' ')).assert().code(0);
    assert!(dir.path().join("out/results.csv").exists());
}

fn walk(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.flat_map(|e| if e.path().is_dir() { walk(&e.path()) } else { vec![e.path()] }).collect()
}
