//! Programs of libcapvec for harts without an operating system, built by a compiler of the host if one can, and run: the example, and
//! RV32's kernels between memory that is not there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler and linker flags, with which `clang` links for machines that have no other linker here.
const COMPILERS: [(&str, &str); 6] = [
    ("riscv64-linux-gnu-gcc", ""),
    ("riscv64-unknown-elf-gcc", ""),
    ("clang --target=riscvXLEN-unknown-elf", "-fuse-ld=lld"),
    ("clang-18 --target=riscvXLEN-unknown-elf", "-fuse-ld=lld-18"),
    ("clang-19 --target=riscvXLEN-unknown-elf", "-fuse-ld=lld-19"),
    ("clang-20 --target=riscvXLEN-unknown-elf", "-fuse-ld=lld-20"),
];

fn crypto() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto")
}

/// Whether `compiler` links a program for this architecture.
fn works(dir: &Path, compiler: &str, linker: &str, arch: &str, abi: &str) -> bool {
    let (out, source) = (dir.join("probe"), dir.join("probe.c"));
    std::fs::write(&source, "void _start(void) { for (;;); }\n").unwrap();
    let mut words = compiler.split(' ');
    let mut c = Command::new(words.next().unwrap());
    c.args(words).args([&format!("-march={arch}"), &format!("-mabi={abi}")]);
    c.args(["-nostdlib", "-static", "-ffreestanding"]).args(linker.split_whitespace());
    c.arg("-o").arg(out).arg(source);
    c.output().is_ok_and(|o| o.status.success())
}

/// What a program is built for: architecture, ABI, and the kernels that the library may use.
struct For<'a> {
    arch: &'a str,
    abi: &'a str,
    caps: &'a str,
}

/// Builds what a Makefile below `crypto/` builds, unless no compiler can; that is said.
fn build(dir: &Path, makefile: &str, f: &For) -> Option<()> {
    let xlen = &f.arch[2..4];
    let compilers = COMPILERS.map(|(c, linker)| (c.replace("XLEN", xlen), linker));
    let found = compilers.iter().find(|(c, l)| works(dir, c, l, f.arch, f.abi));
    let Some((compiler, linker)) = found else {
        println!("skipped: no compiler of {COMPILERS:?} builds for {}", f.arch);
        return None;
    };
    let mut make = Command::new("make");
    make.current_dir(crypto().join(makefile));
    make.args(["-s", &format!("CC={compiler}"), &format!("LDFLAGS={linker}")]);
    make.args([&format!("ARCH={}", f.arch), &format!("ABI={}", f.abi)]);
    make.args([&format!("CAPS={}", f.caps), &format!("BUILD={}", dir.display())]);
    let out = make.output().unwrap();
    assert!(out.status.success(), "{compiler}: {}", String::from_utf8_lossy(&out.stderr));
    Some(())
}

/// What a program prints on a hart of this ISA.
fn run(program: &Path, isa: &str) -> String {
    let mut run = Command::new(env!("CARGO_BIN_EXE_capvec"));
    run.args(["run", "--bare", "--core", "ideal", "--isa", isa]).arg(program);
    let out = run.output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    text
}

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

/// As the test of the same name of RV64's, where pages of Linux lie around (crates/bench/tests/capvec.rs). The program first sees for itself
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
