//! libcapvec's programs for harts without an operating system: the example, and the test that runs RV32's kernels
//! between guard regions. They are built with a compiler of the host, if one supports the target, and run.

use crate::bare_build::{For, build, run};

/// The table that the example prints on a hart with this ISA; `f` names the extensions that the library may use.
fn table(f: &For, isa: &str) -> Option<Vec<(String, f64)>> {
    let dir = build("examples/bare", f)?;
    let text = run(&dir.join("example"), isa);
    let row = |line: &str| {
        let fields: Vec<_> = line.split(',').collect();
        (fields[0].to_string(), fields[2].parse().expect(line))
    };
    Some(text.lines().skip(1).map(row).collect())
}

/// The program checks its answers itself and fails if one is wrong. If it did not use kernels, it would take as long as
/// without them.
#[test]
fn the_bare_example_is_right_and_faster_with_kernels() {
    for (arch, abi, caps) in [
        ("rv64gc", "lp64d", "rv64gcv_zba_zbb_zbs_zvkn_zvks_zvkg"),
        ("rv32imac_zicsr", "ilp32", "rv32imac_zkn_zks"),
    ] {
        let with = |caps| For { arch, abi, caps };
        let plain = table(&with(arch), &format!("{arch}_zicntr"));
        let best = table(&with(caps), &format!("{caps}_zicsr_zicntr"));
        let (Some(plain), Some(best)) = (plain, best) else { continue };
        assert_eq!(plain.len(), 8);
        for ((name, plain), (_, best)) in plain.iter().zip(&best) {
            assert!(best < plain, "{arch}: {name} {best} with {caps}, {plain} without");
        }
    }
}

/// The counterpart of `kernels_stay_within_their_arguments` (crates/kat/tests/capvec.rs), which uses guard pages of
/// Linux on RV64. The program first checks that it detects reads and writes outside of the arguments.
#[test]
fn kernels_of_rv32_stay_within_their_arguments() {
    for caps in ["rv32imac_zkn_zks", "rv32imac_zbb"] {
        let f = For { arch: "rv32imac_zicsr", abi: "ilp32", caps };
        let Some(dir) = build("test/bare", &f) else { return };
        let text = run(&dir.join("guard"), &format!("{caps}_zicsr"));
        let checked = text.trim_end().strip_prefix("guard checked:").and_then(|n| n.parse().ok());
        assert!(checked.is_some_and(|n: u32| n > 1000), "{text}");
    }
}
