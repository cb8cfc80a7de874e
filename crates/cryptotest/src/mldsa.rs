//! ML-DSA: keys, signatures of messages, digests and representatives, and what is refused.

use crate::ffi::{
    self, CV_ERR_KEY, CV_ERR_LENGTH, CV_ERR_SIGNATURE, CV_OK, MlDsaKey, MlDsaKind, c,
};
use crate::guarded::{Ctx, Guarded, Place};
use crate::prehash::{self, Message};
use crate::source::Source;
use ml_dsa::{ExpandedSigningKey, MlDsaParams, Signature, VerifyingKey};
use std::ffi::c_int;

type Sign = fn(&[u8], &[u8], &[u8]) -> Vec<u8>;

/// A parameter set: libcapvec's, and RustCrypto's functions.
pub(crate) struct Set {
    pub kind: *const MlDsaKind,
    /// Rows, bytes of the challenge's hash, of a polynomial of z, and most hints.
    pub k: usize,
    pub challenge: usize,
    pub omega: usize,
    pub signature: usize,
    /// Both keys of a seed.
    pub keys: fn(&[u8]) -> [Vec<u8>; 2],
    /// The signature with the key of a seed, of M', with randomness.
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

/// A key in as few bytes as the parameter set needs, before a guard page.
pub(crate) struct Key(Guarded);

impl Key {
    pub fn new(set: &Set) -> Key {
        let size = c!(cv_mldsa_key_size(set.kind));
        Key(Guarded::new(&vec![0x5a; size], Place::End))
    }

    pub fn ptr(&self) -> *mut MlDsaKey {
        self.0.ptr().cast()
    }
}

type Import = unsafe extern "C" fn(*mut MlDsaKey, *const MlDsaKind, *const u8, usize) -> c_int;

pub(crate) fn import(s: &mut Source, set: &Set, function: Import, bytes: &[u8]) -> (Key, c_int) {
    let (key, buffer) = (Key::new(set), s.buffer(bytes));
    // SAFETY: as in `c!`.
    let status = unsafe { function(key.ptr(), set.kind, buffer.ptr(), bytes.len()) };
    (key, status)
}

type Export = unsafe extern "C" fn(*const MlDsaKey, *mut u8) -> c_int;

/// What an exporting function writes.
pub(crate) fn export(
    s: &mut Source,
    key: &Key,
    function: Export,
    len: usize,
) -> Result<Vec<u8>, c_int> {
    let out = s.buffer(&vec![0x5a; len]);
    // SAFETY: as in `c!`.
    let status = unsafe { function(key.ptr(), out.ptr()) };
    if status != CV_OK {
        assert!(out.bytes().iter().all(|b| *b == 0x5a), "written after an error");
        return Err(status);
    }
    Ok(out.bytes().to_vec())
}

/// What is signed: a message, a digest, or the representative of a message.
pub(crate) struct Input {
    pub message: Message,
    pub mu: bool,
}

/// The representative, of a message in pieces.
fn mu(s: &mut Source, key: &Key, m: &Message) -> Guarded {
    let (hash, context, out) = (Ctx::<ffi::Hash>::new(), s.buffer(&m.context), s.buffer(&[0; 64]));
    let status = c!(cv_mldsa_mu_init(key.ptr(), hash.ptr(), context.ptr(), m.context.len()));
    assert_eq!(status, CV_OK);
    crate::hash::update(s, &m.bytes, |at, n| c!(cv_hash_update(hash.ptr(), at, n)));
    c!(cv_xof_squeeze(hash.ptr(), out.ptr(), 64));
    out
}

pub(crate) fn sign_c(
    s: &mut Source,
    set: &Set,
    key: &Key,
    input: &Input,
    random: Option<&[u8]>,
) -> Vec<u8> {
    let m = &input.message;
    let (out, text, context) =
        (s.buffer(&vec![0; set.signature]), s.buffer(&m.bytes), s.buffer(&m.context));
    let random = random.map(|r| s.buffer(r));
    let random = random.as_ref().map_or(std::ptr::null(), |r| r.ptr().cast_const());
    let (len, context_len) = (m.bytes.len(), m.context.len());
    let status = match input.mu {
        false if m.hash.is_null() => c!(cv_mldsa_sign(
            key.ptr(),
            out.ptr(),
            text.ptr(),
            len,
            context.ptr(),
            context_len,
            random
        )),
        false => c!(cv_mldsa_sign_digest(
            key.ptr(),
            out.ptr(),
            m.hash,
            text.ptr(),
            len,
            context.ptr(),
            context_len,
            random
        )),
        true => {
            let mu = mu(s, key, m);
            c!(cv_mldsa_sign_mu(key.ptr(), out.ptr(), mu.ptr(), random))
        }
    };
    assert_eq!(status, CV_OK);
    out.bytes().to_vec()
}

pub(crate) fn verify_c(s: &mut Source, key: &Key, input: &Input, signature: &[u8]) -> c_int {
    let m = &input.message;
    let (signed, text, context) = (s.buffer(signature), s.buffer(&m.bytes), s.buffer(&m.context));
    let (len, context_len) = (m.bytes.len(), m.context.len());
    match input.mu {
        false if m.hash.is_null() => c!(cv_mldsa_verify(
            key.ptr(),
            signed.ptr(),
            signature.len(),
            text.ptr(),
            len,
            context.ptr(),
            context_len
        )),
        false => c!(cv_mldsa_verify_digest(
            key.ptr(),
            signed.ptr(),
            signature.len(),
            m.hash,
            text.ptr(),
            len,
            context.ptr(),
            context_len
        )),
        true => {
            let mu = mu(s, key, m);
            c!(cv_mldsa_verify_mu(key.ptr(), signed.ptr(), signature.len(), mu.ptr()))
        }
    }
}

/// A signature with something wrong: a bit of any part, z out of range, hints in another encoding.
fn forge(s: &mut Source, set: &Set, right: &[u8]) -> Vec<u8> {
    let mut wrong = right.to_vec();
    let hints = set.signature - set.omega - set.k;
    let ends = hints + set.omega;
    let used = wrong[set.signature - 1] as usize;
    match s.below(8) {
        0 => wrong[s.below(set.challenge)] ^= 1 << s.below(8),
        1 => wrong[set.challenge + s.below(hints - set.challenge)] ^= 1 << s.below(8),
        2 => wrong[hints + s.below(set.omega + set.k)] ^= 1 << s.below(8),
        // Coefficients of gamma1.
        3 => wrong[set.challenge..][..5].fill(0),
        // Padding that is not zero.
        4 if used < set.omega => wrong[hints + used + s.below(set.omega - used)] = 1,
        // An index twice, or in the wrong order.
        5 if wrong[ends] >= 2 => wrong[hints + 1] = wrong[hints],
        6 if wrong[ends] >= 2 => wrong.swap(hints, hints + 1),
        7 => wrong[ends + s.below(set.k)] = set.omega as u8 + 1,
        _ => wrong[s.below(set.signature)] ^= 0x80,
    }
    wrong
}

/// Verdicts on wrong signatures are the oracle's.
fn forgeries(s: &mut Source, set: &Set, key: &Key, public: &[u8], m: &Input, right: &[u8]) {
    for _ in 0..4 {
        let wrong = forge(s, set, right);
        let accepted = (set.accepts)(public, &m.message.whole, &wrong);
        let expected = if accepted { CV_OK } else { CV_ERR_SIGNATURE };
        assert_eq!(verify_c(s, key, m, &wrong), expected);
        assert!(!accepted || wrong == right, "the oracle accepts a forgery");
    }
    for len in [0, set.signature - 1, set.signature + 1] {
        let wrong: Vec<u8> = right.iter().copied().chain([0]).take(len).collect();
        assert_eq!(verify_c(s, key, m, &wrong), CV_ERR_SIGNATURE, "{len} bytes");
    }
}

/// Operations with a part that the key lacks.
fn lacks(s: &mut Source, set: &Set, key: &Key, public: bool) {
    let (signature, mu) = (s.buffer(&vec![0; set.signature]), s.buffer(&[0; 64]));
    let null = std::ptr::null();
    let status = c!(cv_mldsa_sign_mu(key.ptr(), signature.ptr(), mu.ptr(), null));
    assert_eq!(status, CV_ERR_KEY);
    assert!(signature.bytes().iter().all(|b| *b == 0), "written after an error");
    assert_eq!(export(s, key, ffi::cv_mldsa_export_private, 4896), Err(CV_ERR_KEY));
    assert_eq!(export(s, key, ffi::cv_mldsa_export_seed, 32), Err(CV_ERR_KEY));
    if !public {
        let len = set.signature;
        let status = c!(cv_mldsa_verify_mu(key.ptr(), signature.ptr(), len, mu.ptr()));
        assert_eq!(status, CV_ERR_KEY);
        let status = c!(cv_mldsa_verify(key.ptr(), signature.ptr(), len, null, 0, null, 0));
        assert_eq!(status, CV_ERR_KEY);
        assert_eq!(export(s, key, ffi::cv_mldsa_export_public, 2592), Err(CV_ERR_KEY));
    }
}

/// Keys that are refused: wrong lengths, coefficients out of range, parts that do not belong together.
fn refused(s: &mut Source, set: &Set, [public, private]: &[Vec<u8>; 2]) {
    for (function, right) in
        [(ffi::cv_mldsa_import_public as Import, public), (ffi::cv_mldsa_import_private, private)]
    {
        for len in [0, right.len() - 1, right.len() + 1] {
            let bytes: Vec<u8> = right.iter().copied().chain([0]).take(len).collect();
            let (key, status) = import(s, set, function, &bytes);
            assert_eq!(status, CV_ERR_LENGTH);
            lacks(s, set, &key, false);
        }
    }
    // rho, K, the public key's hash, s1, s2, t0. Any K is right.
    let t0 = private.len() - 416 * set.k;
    let mut wrong = private.clone();
    match s.below(5) {
        0 => wrong[s.below(32)] ^= 1 << s.below(8),
        1 => wrong[64 + s.below(64)] ^= 1 << s.below(8),
        2 => wrong[128 + s.below(t0 - 128)] = 0xff,
        3 => wrong[128 + s.below(t0 - 128)] ^= 1 << s.below(8),
        _ => wrong[t0 + s.below(416 * set.k)] ^= 1 << s.below(8),
    }
    let (key, status) = import(s, set, ffi::cv_mldsa_import_private, &wrong);
    assert_eq!(status, CV_ERR_KEY);
    lacks(s, set, &key, false);
}

/// Contexts that are too long, and texts that are not digests.
fn bad_arguments(s: &mut Source, set: &Set, key: &Key) {
    let (signature, text) = (s.buffer(&vec![0; set.signature]), s.buffer(&[0; 256]));
    let (out, null) = (signature.ptr(), std::ptr::null());
    let status = c!(cv_mldsa_sign(key.ptr(), out, text.ptr(), 1, text.ptr(), 256, null));
    assert_eq!(status, CV_ERR_LENGTH);
    let len = set.signature;
    let status = c!(cv_mldsa_verify(key.ptr(), out, len, text.ptr(), 1, text.ptr(), 256));
    assert_eq!(status, CV_ERR_LENGTH);
    let hash = Ctx::<ffi::Hash>::new();
    assert_eq!(c!(cv_mldsa_mu_init(key.ptr(), hash.ptr(), text.ptr(), 256)), CV_ERR_LENGTH);
    for (hash, len) in prehash::refused() {
        let status = c!(cv_mldsa_sign_digest(key.ptr(), out, hash, text.ptr(), len, null, 0, null));
        assert_eq!(status, CV_ERR_LENGTH);
    }
    assert!(signature.bytes().iter().all(|b| *b == 0), "written after an error");
}

/// ML-DSA in any parameter set.
pub fn mldsa(s: &mut Source) {
    let set = &sets()[s.below(3)];
    let seed = s.bytes(32);
    let (key, buffer) = (Key::new(set), s.buffer(&seed));
    c!(cv_mldsa_generate(key.ptr(), set.kind, buffer.ptr()));
    let keys = (set.keys)(&seed);
    let [public, private] = &keys;
    assert_eq!(c!(cv_mldsa_public_size(set.kind)), public.len());
    assert_eq!(c!(cv_mldsa_private_size(set.kind)), private.len());
    assert_eq!(c!(cv_mldsa_signature_size(set.kind)), set.signature);
    let exported = export(s, &key, ffi::cv_mldsa_export_public, public.len());
    assert_eq!(exported.as_ref(), Ok(public), "k = {}: public key of {seed:?}", set.k);
    let exported = export(s, &key, ffi::cv_mldsa_export_private, private.len());
    assert_eq!(exported.as_ref(), Ok(private), "k = {}: private key of {seed:?}", set.k);
    assert_eq!(export(s, &key, ffi::cv_mldsa_export_seed, 32), Ok(seed.clone()));

    let (from_public, status) = import(s, set, ffi::cv_mldsa_import_public, public);
    assert_eq!(status, CV_OK);
    lacks(s, set, &from_public, true);
    let (from_private, status) = import(s, set, ffi::cv_mldsa_import_private, private);
    assert_eq!(status, CV_OK);
    assert_eq!(export(s, &from_private, ffi::cv_mldsa_export_seed, 32), Err(CV_ERR_KEY));
    let exported = export(s, &from_private, ffi::cv_mldsa_export_private, private.len());
    assert_eq!(exported.as_ref(), Ok(private));

    let form = s.below(3);
    let m = Input { message: prehash::message(s, form == 0), mu: form == 1 };
    let random = s.bytes(32);
    let random = s.flag().then_some(&random[..]);
    let expected = (set.sign)(&seed, &m.message.whole, random.unwrap_or(&[0; 32]));
    for key in [&key, &from_private] {
        assert_eq!(sign_c(s, set, key, &m, random), expected, "k = {}, {seed:?}", set.k);
    }
    for key in [&key, &from_private, &from_public] {
        assert_eq!(verify_c(s, key, &m, &expected), CV_OK);
    }
    forgeries(s, set, &from_public, public, &m, &expected);
    bad_arguments(s, set, &key);
    refused(s, set, &keys);
}
