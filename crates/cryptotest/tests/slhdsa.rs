//! Every parameter set of SLH-DSA. `random.rs` has more rounds, with those whose signatures are fast.

use capvec_cryptotest::{Source, slhdsa};

#[test]
fn fast_sets_agree_with_rustcrypto() {
    slhdsa::each_set(&mut Source::random(crate::seed()), false);
}

#[test]
fn small_sets_give_rustcryptos_signatures() {
    slhdsa::each_small_set(&mut Source::random(crate::seed()));
}

#[test]
#[ignore = "RustCrypto takes seconds for each signature: make test-long"]
fn small_sets_agree_with_rustcrypto() {
    slhdsa::each_set(&mut Source::random(crate::seed()), true);
    for (digest, known) in slhdsa::small_digests() {
        assert_eq!(digest, known);
    }
}
