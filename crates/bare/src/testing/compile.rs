//! Builds programs of libcapvec for harts without an operating system, for tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Compilers and their linker flags: `clang` uses lld, since there may be no other linker for these machines.
const COMPILERS: [(&str, &str); 6] = [
    ("riscv64-linux-gnu-gcc", ""),
    ("riscv64-unknown-elf-gcc", ""),
    ("clang-20 --target=riscvXLEN-unknown-elf", "-fuse-ld=lld-20"),
    ("clang-19 --target=riscvXLEN-unknown-elf", "-fuse-ld=lld-19"),
    ("clang-18 --target=riscvXLEN-unknown-elf", "-fuse-ld=lld-18"),
    ("clang --target=riscvXLEN-unknown-elf", "-fuse-ld=lld"),
];

/// A program whose code has to be aligned by the linker, which lld 14 does not do.
const PROBE: &str = "void _start(void) { __asm__(\".option relax\\n.balign 64\"); for (;;); }\n";

fn crypto() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto")
}

/// Whether `compiler` links a program for this architecture.
fn works(dir: &Path, compiler: &str, linker: &str, arch: &str, abi: &str) -> bool {
    let (out, source) = (dir.join("probe"), dir.join("probe.c"));
    std::fs::write(&source, PROBE).unwrap();
    let mut words = compiler.split(' ');
    let mut c = Command::new(words.next().unwrap());
    c.args(words).args([&format!("-march={arch}"), &format!("-mabi={abi}")]);
    c.args(["-nostdlib", "-static", "-ffreestanding"]).args(linker.split_whitespace());
    c.arg("-o").arg(out).arg(source);
    c.output().is_ok_and(|o| o.status.success())
}

/// What a program is built for: architecture, ABI, and the kernels that the library may use.
pub struct For<'a> {
    pub arch: &'a str,
    pub abi: &'a str,
    pub caps: &'a str,
}

/// Builds the programs of a Makefile below `crypto/`, and returns their directory, which is in `kept`: what an earlier build left
/// there is built again only if its sources have changed.
///
/// # Errors
/// Names the compilers, if none of them builds for this architecture.
pub fn build(kept: &str, makefile: &str, f: &For) -> Result<PathBuf, String> {
    /// Several programs for the same architecture share a library.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap();
    let dir = Path::new(kept).join(format!("{}-{}", f.arch, f.caps));
    std::fs::create_dir_all(&dir).unwrap();
    build_with(&dir, makefile, f, &[])?;
    Ok(dir)
}

/// Builds them in this directory, with further arguments of make.
///
/// # Errors
/// As [`build`].
pub fn build_with(dir: &Path, makefile: &str, f: &For, arguments: &[&str]) -> Result<(), String> {
    let xlen = &f.arch[2..4];
    let compilers = COMPILERS.map(|(c, linker)| (c.replace("XLEN", xlen), linker));
    let found = compilers.iter().find(|(c, l)| works(dir, c, l, f.arch, f.abi));
    let Some((compiler, linker)) = found else {
        return Err(format!("none of {COMPILERS:?} builds for {}", f.arch));
    };
    let mut make = Command::new("make");
    make.current_dir(crypto().join(makefile));
    make.args(["-s", &format!("CC={compiler}"), &format!("LDFLAGS={linker}")]);
    make.args([&format!("ARCH={}", f.arch), &format!("ABI={}", f.abi)]);
    make.args([&format!("CAPS={}", f.caps), &format!("BUILD={}", dir.display())]);
    make.args(arguments);
    let out = make.output().unwrap();
    assert!(out.status.success(), "{compiler}: {}", String::from_utf8_lossy(&out.stderr));
    Ok(())
}
