//! Mbed TLS over libcapvec, as a user has it.

mod common;

use common::{capvec, guest, output};

/// What is said where compiler or source are neither here nor to be fetched.
const UNREACHABLE: &str = "apt could not";

/// Its own self-test, with vector kernels and with portable C.
#[test]
fn its_self_test_passes() {
    let dir = concat!(env!("CARGO_TARGET_TMPDIR"), "/mbedtls");
    let built = capvec().args(["build", "mbedtls", "--output", dir]).output().unwrap();
    let told = String::from_utf8_lossy(&built.stderr).into_owned();
    if !built.status.success() && told.contains(UNREACHABLE) {
        eprintln!("skipped: no compiler for riscv64 or no source of Mbed TLS to be had: {told}");
        return;
    }
    assert!(built.status.success(), "{told}");
    let bind = format!("{dir}:/mbedtls");
    for isa in ["rv64gcv_zvkng", "rv64gc"] {
        let run = &mut guest(&["--isa", isa, "--bind", &bind], &["/mbedtls/selftest"]);
        let text = output(run, 0).0;
        assert!(text.contains("[ All tests PASS ]") && !text.contains("failed"), "{isa}: {text}");
    }
}
