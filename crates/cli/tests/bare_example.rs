//! Programs of libcapvec for harts without an operating system, built by a compiler of the host if one can, and run: the example, and
//! RV32's kernels between memory that is not there.

use crate::bare_build::{For, build, run};
use std::path::Path;

/// The example's table, with the hart's extensions and those that the library may use.
fn table(dir: &Path, f: &For, isa: &str) -> Option<Vec<(String, f64)>> {
    let dir = dir.join(isa);
    std::fs::create_dir_all(&dir).unwrap();
    build(&dir, "examples/bare", f)?;
    let text = run(&dir.join("example"), isa);
    let row = |line: &str| {
        let fields: Vec<_> = line.split(',').collect();
        (fields[0].to_string(), fields[2].parse().expect(line))
    };
    Some(text.lines().skip(1).map(row).collect())
}

/// Answers are checked by the program itself, which fails if one is wrong; kernels are used, or it would take as long.
#[test]
fn the_bare_example_is_right_and_faster_with_kernels() {
    let dir = tempfile::tempdir().unwrap();
    for (arch, abi, caps) in [
        ("rv64gc", "lp64d", "rv64gcv_zba_zbb_zbs_zvkn_zvks_zvkg"),
        ("rv32imac_zicsr", "ilp32", "rv32imac_zkn_zks"),
    ] {
        let with = |caps| For { arch, abi, caps };
        let plain = table(dir.path(), &with(arch), &format!("{arch}_zicntr"));
        let best = table(dir.path(), &with(caps), &format!("{caps}_zicsr_zicntr"));
        let (Some(plain), Some(best)) = (plain, best) else { continue };
        assert_eq!(plain.len(), 8);
        for ((name, plain), (_, best)) in plain.iter().zip(&best) {
            assert!(best < plain, "{arch}: {name} {best} with {caps}, {plain} without");
        }
    }
}

/// As the test of the same name of RV64's, where pages of Linux lie around (crates/kat/tests/capvec.rs). The program first sees for itself
/// that it notices reads and writes beside what it is given.
#[test]
fn kernels_of_rv32_keep_within_what_they_are_given() {
    let dir = tempfile::tempdir().unwrap();
    let f = For { arch: "rv32imac_zicsr", abi: "ilp32", caps: "rv32imac_zkn_zks" };
    if build(dir.path(), "test/bare", &f).is_none() {
        return;
    }
    let text = run(&dir.path().join("guard"), "rv32imac_zicsr_zkn_zks");
    let checked = text.trim_end().strip_prefix("guard checked:").and_then(|n| n.parse().ok());
    assert!(checked.is_some_and(|n: u32| n > 1000), "{text}");
}
