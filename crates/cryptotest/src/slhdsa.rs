//! SLH-DSA: keys, signatures of messages and digests, and what is refused.

use crate::ffi::{self, CV_ERR_LENGTH, CV_ERR_SIGNATURE, CV_OK, HashKind, SlhDsaKind, c};
use crate::guarded::{Guarded, Place};
use crate::prehash::{self, Message};
use crate::source::Source;
use slh_dsa::{ParameterSet, Signature, SigningKey, VerifyingKey};
use std::ffi::c_int;

/// A parameter set: libcapvec's, and RustCrypto's functions.
struct Set {
    name: &'static str,
    kind: *const SlhDsaKind,
    n: usize,
    signature: usize,
    /// Bytes of the signature of FORS.
    fors: usize,
    /// The private key of a seed.
    key: fn(&[u8]) -> Vec<u8>,
    /// The signature of M' with a private key and randomness.
    sign: fn(&[u8], &[u8], Option<&[u8]>) -> Vec<u8>,
    /// Whether a public key accepts this signature of M'.
    accepts: fn(&[u8], &[u8], &[u8]) -> bool,
}

fn key<P: ParameterSet>(seed: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = seed.chunks(seed.len() / 3).collect();
    SigningKey::<P>::slh_keygen_internal(parts[0], parts[1], parts[2]).to_vec()
}

fn sign<P: ParameterSet>(private: &[u8], whole: &[u8], random: Option<&[u8]>) -> Vec<u8> {
    let key = SigningKey::<P>::try_from(private).expect("the key's length");
    key.slh_sign_internal(&[whole], random).to_bytes().to_vec()
}

fn accepts<P: ParameterSet>(public: &[u8], whole: &[u8], signature: &[u8]) -> bool {
    let key = VerifyingKey::<P>::try_from(public).expect("the key's length");
    let signature = Signature::<P>::try_from(signature).expect("its length");
    key.slh_verify_internal(&[whole], &signature).is_ok()
}

/// n, k (1 + a) and the signature's length are those of FIPS 205, table 2.
macro_rules! sets {
    ($($kind:ident $p:ident $n:literal $k:literal $a:literal $signature:literal;)*) => {
        [$(Set {
            name: stringify!($p),
            kind: &raw const ffi::$kind,
            n: $n,
            signature: $signature,
            fors: $n * $k * (1 + $a),
            key: key::<slh_dsa::$p>,
            sign: sign::<slh_dsa::$p>,
            accepts: accepts::<slh_dsa::$p>,
        }),*]
    };
}

/// Those with fast signatures come first.
fn sets() -> [Set; 12] {
    sets! {
        cv_slhdsa_sha2_128f Sha2_128f 16 33 6 17088;
        cv_slhdsa_sha2_192f Sha2_192f 24 33 8 35664;
        cv_slhdsa_sha2_256f Sha2_256f 32 35 9 49856;
        cv_slhdsa_shake_128f Shake128f 16 33 6 17088;
        cv_slhdsa_shake_192f Shake192f 24 33 8 35664;
        cv_slhdsa_shake_256f Shake256f 32 35 9 49856;
        cv_slhdsa_sha2_128s Sha2_128s 16 14 12 7856;
        cv_slhdsa_sha2_192s Sha2_192s 24 17 14 16224;
        cv_slhdsa_sha2_256s Sha2_256s 32 22 14 29792;
        cv_slhdsa_shake_128s Shake128s 16 14 12 7856;
        cv_slhdsa_shake_192s Shake192s 24 17 14 16224;
        cv_slhdsa_shake_256s Shake256s 32 22 14 29792;
    }
}

fn sign_c(
    s: &mut Source,
    set: &Set,
    private: &[u8],
    m: &Message,
    random: Option<&[u8]>,
) -> Result<Vec<u8>, c_int> {
    let (key, out) = (s.buffer(private), s.buffer(&vec![0x5a; set.signature]));
    let (text, context) = (s.buffer(&m.bytes), s.buffer(&m.context));
    let random = random.map(|r| s.buffer(r));
    let random = random.as_ref().map_or(std::ptr::null(), |r| r.ptr().cast_const());
    let (kind, len, context_len) = (set.kind, m.bytes.len(), m.context.len());
    let (k, key_len, o, t, ctx) = (key.ptr(), private.len(), out.ptr(), text.ptr(), context.ptr());
    let status = if m.hash.is_null() {
        c!(cv_slhdsa_sign(kind, k, key_len, o, t, len, ctx, context_len, random))
    } else {
        c!(cv_slhdsa_sign_digest(kind, k, key_len, o, m.hash, t, len, ctx, context_len, random))
    };
    if status != CV_OK {
        assert!(out.bytes().iter().all(|b| *b == 0x5a), "written after an error");
        return Err(status);
    }
    Ok(out.bytes().to_vec())
}

fn verify_c(s: &mut Source, set: &Set, public: &[u8], m: &Message, signature: &[u8]) -> c_int {
    let (key, signed) = (s.buffer(public), s.buffer(signature));
    let (text, context) = (s.buffer(&m.bytes), s.buffer(&m.context));
    let (kind, len, context_len) = (set.kind, m.bytes.len(), m.context.len());
    let (k, key_len, g, size) = (key.ptr(), public.len(), signed.ptr(), signature.len());
    let (t, ctx) = (text.ptr(), context.ptr());
    if m.hash.is_null() {
        c!(cv_slhdsa_verify(kind, k, key_len, g, size, t, len, ctx, context_len))
    } else {
        c!(cv_slhdsa_verify_digest(kind, k, key_len, g, size, m.hash, t, len, ctx, context_len))
    }
}

/// The private key that libcapvec makes of a seed, which may be where the key is written.
fn generate(s: &mut Source, set: &Set, seed: &[u8]) -> Vec<u8> {
    let place = s.place();
    let key = Guarded::new(&[seed, &vec![0x5a; set.n]].concat(), place);
    let apart = s.buffer(seed);
    let from = if s.flag() { key.ptr() } else { apart.ptr() };
    c!(cv_slhdsa_generate(set.kind, key.ptr(), from));
    assert_eq!(apart.bytes(), seed);
    key.bytes().to_vec()
}

/// One wrong bit in each part of the signature, in each half of the key, in the message and in the context.
fn forgeries(s: &mut Source, set: &Set, public: &[u8], m: &Message, right: &[u8]) {
    let tree = set.n + set.fors;
    let parts = [(0, set.n), (set.n, set.fors), (tree, right.len() - tree), (right.len() - 96, 96)];
    for (at, len) in parts {
        let mut wrong = right.to_vec();
        let offset = s.below(256) * 256 + s.below(256);
        wrong[at + offset % len] ^= 1 << s.below(8);
        assert!(!(set.accepts)(public, &m.whole, &wrong), "{}: the oracle", set.name);
        let status = verify_c(s, set, public, m, &wrong);
        assert_eq!(status, CV_ERR_SIGNATURE, "{}: a wrong bit from {at} on", set.name);
    }
    for half in 0..2 {
        let mut wrong = public.to_vec();
        wrong[half * set.n + s.below(set.n)] ^= 1 << s.below(8);
        let status = verify_c(s, set, &wrong, m, right);
        assert_eq!(status, CV_ERR_SIGNATURE, "{}: another key", set.name);
    }
    for wrong in m.others(s) {
        let status = verify_c(s, set, public, &wrong, right);
        assert_eq!(status, CV_ERR_SIGNATURE, "{}: another message", set.name);
    }
}

/// Every other length of a signature or a key. None of their bytes may be read.
fn lengths(s: &mut Source, set: &Set, public: &[u8], private: &[u8]) {
    let (key, unreadable) = (s.buffer(public), Guarded::new(&[], Place::End));
    let (kind, at, null) = (set.kind, unreadable.ptr(), std::ptr::null());
    for len in (0..=set.signature + 2).filter(|len| *len != set.signature) {
        let (k, n) = (key.ptr(), public.len());
        let status = c!(cv_slhdsa_verify(kind, k, n, at, len, null, 0, null, 0));
        assert_eq!(status, CV_ERR_SIGNATURE, "{}: {len} bytes", set.name);
    }
    for len in 0..=private.len() + 2 {
        if len != public.len() {
            let status = c!(cv_slhdsa_verify(kind, at, len, at, set.signature, null, 0, null, 0));
            assert_eq!(status, CV_ERR_LENGTH, "{}: public key of {len} bytes", set.name);
        }
        if len != private.len() {
            let status = c!(cv_slhdsa_sign(kind, at, len, at, null, 0, null, 0, null));
            assert_eq!(status, CV_ERR_LENGTH, "{}: private key of {len} bytes", set.name);
        }
    }
}

/// Contexts that are too long, and digests that are none.
fn bad_arguments(s: &mut Source, set: &Set, public: &[u8], private: &[u8]) {
    let bad = |hash: *const HashKind, len: usize, context: usize| Message {
        hash,
        bytes: vec![0; len],
        context: vec![0; context],
        whole: Vec::new(),
    };
    let digests = prehash::refused().into_iter().map(|(hash, len)| bad(hash, len, 0));
    let signature = vec![0; set.signature];
    for m in digests.chain([256, 257, 512, 65536].map(|n| bad(std::ptr::null(), 1, n))) {
        assert_eq!(sign_c(s, set, private, &m, None), Err(CV_ERR_LENGTH), "{}", set.name);
        assert_eq!(verify_c(s, set, public, &m, &signature), CV_ERR_LENGTH, "{}", set.name);
    }
}

fn one(s: &mut Source, set: &Set) {
    let (n, kind) = (set.n, set.kind);
    assert_eq!(c!(cv_slhdsa_seed_size(kind)), 3 * n, "{}", set.name);
    assert_eq!(c!(cv_slhdsa_random_size(kind)), n, "{}", set.name);
    assert_eq!(c!(cv_slhdsa_public_size(kind)), 2 * n, "{}", set.name);
    assert_eq!(c!(cv_slhdsa_private_size(kind)), 4 * n, "{}", set.name);
    assert_eq!(c!(cv_slhdsa_signature_size(kind)), set.signature, "{}", set.name);

    let seed = s.bytes(3 * n);
    let private = (set.key)(&seed);
    let public = &private[2 * n..];
    assert_eq!(generate(s, set, &seed), private, "{}: key of {seed:?}", set.name);

    let form = s.flag();
    let m = prehash::message(s, form);
    let random = s.bytes(n);
    let random = s.flag().then_some(&random[..]);
    let expected = (set.sign)(&private, &m.whole, random);
    let signature = sign_c(s, set, &private, &m, random).expect("a signature");
    let differs = (0..set.signature).find(|i| signature[*i] != expected[*i]);
    assert_eq!(differs, None, "{}: first wrong byte; seed {seed:?}", set.name);
    assert_eq!(verify_c(s, set, public, &m, &expected), CV_OK, "{}", set.name);

    forgeries(s, set, public, &m, &expected);
    lengths(s, set, public, &private);
    bad_arguments(s, set, public, &private);
}

/// SLH-DSA in any parameter set with fast signatures.
pub fn slhdsa(s: &mut Source) {
    let set = &sets()[s.below(6)];
    one(s, set);
}

/// SLH-DSA in each parameter set.
pub fn each_set(s: &mut Source) {
    sets().iter().for_each(|set| one(s, set));
}
