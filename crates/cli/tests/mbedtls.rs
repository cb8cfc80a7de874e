//! Mbed TLS over libcapvec, as a user has it.

use crate::common::{capvec, guest, output};

/// What is said where compiler or source are neither here nor to be fetched.
const UNREACHABLE: &str = "apt could not";

/// Its own self-test, with vector kernels and with portable C; with these and with scalar kernels CCM in steps, of which the self-test knows
/// nothing, beside libcapvec's own.
#[test]
fn its_self_test_passes_and_steps_of_ccm_are_as_whole_messages() {
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
    for (isa, seed) in [("rv64gcv_zvkng", "1"), ("rv64gc_zkn", "2"), ("rv64gc", "3")] {
        let run =
            &mut guest(&["--isa", isa, "--bind", &bind], &["/mbedtls/ccm_steps", seed, "300"]);
        assert_eq!(output(run, 0).0, format!("ccm checked: 300 messages, seed {seed}\n"), "{isa}");
    }
}
