//! The example of libcapvec for harts without an operating system, built by a compiler of the host if one can, and run.

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

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto/examples/bare")
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

/// The example's table, with the hart's extensions and those that the library may use.
fn table(dir: &Path, arch: &str, abi: &str, caps: &str, isa: &str) -> Option<Vec<(String, f64)>> {
    let xlen = &arch[2..4];
    let compilers = COMPILERS.map(|(c, linker)| (c.replace("XLEN", xlen), linker));
    let Some((compiler, linker)) = compilers.iter().find(|(c, l)| works(dir, c, l, arch, abi))
    else {
        println!("skipped: no compiler of {COMPILERS:?} builds for {arch}");
        return None;
    };
    let build = dir.join(isa);
    let mut make = Command::new("make");
    make.current_dir(sources()).args([
        "-s",
        &format!("CC={compiler}"),
        &format!("LDFLAGS={linker}"),
    ]);
    make.args([&format!("ARCH={arch}"), &format!("ABI={abi}"), &format!("CAPS={caps}")]);
    let out = make.arg(format!("BUILD={}", build.display())).output().unwrap();
    assert!(out.status.success(), "{compiler}: {}", String::from_utf8_lossy(&out.stderr));
    let mut run = Command::new(env!("CARGO_BIN_EXE_capvec"));
    run.args(["run", "--bare", "--core", "ideal", "--isa", isa]).arg(build.join("example"));
    let out = run.output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
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
        let plain = table(dir.path(), arch, abi, arch, &format!("{arch}_zicntr"));
        let best = table(dir.path(), arch, abi, caps, &format!("{caps}_zicsr_zicntr"));
        let (Some(plain), Some(best)) = (plain, best) else { continue };
        assert_eq!(plain.len(), 8);
        for ((name, plain), (_, best)) in plain.iter().zip(&best) {
            assert!(best < plain, "{arch}: {name} {best} with {caps}, {plain} without");
        }
    }
}
