//! Calls after the end of a message.

use capvec_cryptotest::{Source, ended};

#[test]
fn nothing_is_done_after_the_end() {
    // What is called does not depend on what the keys are.
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
