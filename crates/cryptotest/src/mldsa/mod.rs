//! ML-DSA: keys, signatures of messages, digests and representatives, and what is refused.

mod refused;
mod sets;

use crate::ffi::{self, CV_ERR_KEY, CV_OK, MlDsaKey, MlDsaKind, c};
use crate::guarded::{Ctx, Guarded, Place};
use crate::prehash::{self, Message};
use crate::source::Source;
pub(crate) use sets::{Set, sets};
use std::ffi::c_int;

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
    refused::operations(s, set, &from_public, true);
    // The part that need not be wiped is the same in a key without a private part.
    let public_part = |key: &Key| key.0.bytes()[c!(cv_mldsa_secret_size(set.kind))..].to_vec();
    assert!(2 * public_part(&key).len() > c!(cv_mldsa_key_size(set.kind)));
    assert_eq!(public_part(&key), public_part(&from_public));
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
    refused::forgeries(s, set, &from_public, public, &m, &expected);
    refused::arguments(s, set, &key);
    refused::keys(s, set, &keys);
}
