//! Calls after the end of a message.

use capvec_cryptotest::{Source, ended};

#[test]
fn calls_after_the_end_do_nothing() {
    // The calls do not depend on the keys.
    for seed in 0..8 {
        let s = &mut Source::random(seed);
        ended::hashes(s);
        ended::hmac(s);
        ended::poly1305(s);
        ended::ccm(s);
        ended::gcm(s);
        ended::ocb(s);
        ended::cmac(s);
    }
}
