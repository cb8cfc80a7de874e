//! Mbed TLS with libcapvec, as a user builds it.

use crate::common::{capvec, guest, output};
use capvec_util::testing::skipped;

/// The message if the compiler or the source is not here and cannot be fetched.
const UNREACHABLE: &str = "apt could not";

/// Runs its own self-test with vector kernels and with portable C. The self-test does not cover CCM in steps, which is
/// compared with libcapvec's own CCM: with vector kernels, with scalar kernels and with portable C.
#[test]
fn its_self_test_passes_and_ccm_in_steps_agrees_with_whole_messages() {
    let dir = concat!(env!("CARGO_TARGET_TMPDIR"), "/mbedtls");
    let steps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crypto/test/ccm_steps");
    let built = capvec().args(["build", "mbedtls", "--program", steps, "--output", dir]).output();
    let built = built.unwrap();
    let message = String::from_utf8_lossy(&built.stderr).into_owned();
    if !built.status.success() && message.contains(UNREACHABLE) {
        skipped("mbedtls", format_args!("neither compiler nor source can be fetched: {message}"));
        return;
    }
    assert!(built.status.success(), "{message}");
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
