//! Every parameter set of SLH-DSA. `random.rs` has more rounds, with those whose signatures are fast.

use capvec_cryptotest::{Source, slhdsa};

#[test]
fn each_set_agrees_with_rustcrypto() {
    slhdsa::each_set(&mut Source::random(crate::seed()));
}
