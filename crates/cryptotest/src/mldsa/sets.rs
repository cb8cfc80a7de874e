//! The parameter sets, with RustCrypto's functions for each.

use crate::ffi::{self, MlDsaKind};
use ml_dsa::{ExpandedSigningKey, MlDsaParams, Signature, VerifyingKey};

type Sign = fn(&[u8], &[u8], &[u8]) -> Vec<u8>;

/// A parameter set: libcapvec's, and RustCrypto's functions.
pub(crate) struct Set {
    pub kind: *const MlDsaKind,
    /// Rows, bytes of the challenge's hash, maximum number of hints, and bytes of a signature.
    pub k: usize,
    pub challenge: usize,
    pub omega: usize,
    pub signature: usize,
    /// Both keys of a seed.
    pub keys: fn(&[u8]) -> [Vec<u8>; 2],
    /// The signature of M' with a seed's key and randomness.
    pub sign: Sign,
    /// Whether a public key accepts this signature of M'.
    pub accepts: fn(&[u8], &[u8], &[u8]) -> bool,
}

fn keys<P: MlDsaParams>(seed: &[u8]) -> [Vec<u8>; 2] {
    let key = ExpandedSigningKey::<P>::from_seed(seed.try_into().expect("32 bytes"));
    // The expanded form is what the standard calls sk.
    #[allow(deprecated)]
    [key.verifying_key().encode().to_vec(), key.to_expanded().to_vec()]
}

fn sign<P: MlDsaParams>(seed: &[u8], message: &[u8], random: &[u8]) -> Vec<u8> {
    let key = ExpandedSigningKey::<P>::from_seed(seed.try_into().expect("32 bytes"));
    key.sign_internal(&[message], random.try_into().expect("32 bytes")).encode().to_vec()
}

fn accepts<P: MlDsaParams>(public: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let key = VerifyingKey::<P>::decode(public.try_into().expect("the key's length"));
    let signature = Signature::<P>::decode(signature.try_into().expect("its length"));
    signature.is_some_and(|s| key.verify_internal(message, &s))
}

macro_rules! set {
    ($kind:ident, $k:expr, $challenge:expr, $omega:expr, $signature:expr, $p:ty) => {
        Set {
            kind: &raw const ffi::$kind,
            k: $k,
            challenge: $challenge,
            omega: $omega,
            signature: $signature,
            keys: keys::<$p>,
            sign: sign::<$p>,
            accepts: accepts::<$p>,
        }
    };
}

pub(crate) fn sets() -> [Set; 3] {
    [
        set!(cv_mldsa44, 4, 32, 80, 2420, ml_dsa::MlDsa44),
        set!(cv_mldsa65, 6, 48, 55, 3309, ml_dsa::MlDsa65),
        set!(cv_mldsa87, 8, 64, 75, 4627, ml_dsa::MlDsa87),
    ]
}
