//! Calls after the end of a message.

use capvec_cryptotest::{Source, after_end};

#[test]
fn calls_after_the_end_do_nothing() {
    // The calls do not depend on the keys.
    for seed in 0..8 {
        let s = &mut Source::random(seed);
        after_end::hashes(s);
        after_end::hmac(s);
        after_end::poly1305(s);
        after_end::ccm(s);
        after_end::gcm(s);
        after_end::ocb(s);
        after_end::cmac(s);
    }
}
