//! The symbols that Debian ships in packages of their own.

use crate::common::{capvec, output};

/// `libc6-dbg` has the symbols of the C library, by build ID.
#[test]
#[ignore = "fetches packages; run by `make soak`"]
fn functions_are_named_by_debians_debug_package() {
    let sysroot = "capvec-soak-symbols";
    let args = ["sysroot", "add", "--name", sysroot, "--suite", "trixie", "--arch", "riscv64"];
    capvec().args(args).args(["libc6-dbg", "openssl"]).assert().success();
    let dir = tempfile::tempdir().unwrap();
    let folded = dir.path().join("out.folded");
    let mut run = capvec();
    run.args(["run", "--sysroot", sysroot, "--profile"]).arg(&folded);
    output(run.args(["--", "openssl", "version"]), 0);
    let paths = std::fs::read_to_string(&folded).unwrap();
    // Neither is exported.
    for name in ["_int_malloc", "_dl_relocate_object"] {
        assert!(paths.contains(name), "{name}");
    }
    for unnamed in ["libc.so.6+0x", "ld-linux-riscv64-lp64d.so.1+0x", "@GLIBC"] {
        assert!(!paths.contains(unnamed), "{unnamed}");
    }
}
