//! What is refused: wrong signatures, operations that a key lacks a part for, wrong keys and arguments.

use super::{Import, Input, Key, Set, export, import, verify_c};
use crate::ffi::{self, CV_ERR_KEY, CV_ERR_LENGTH, CV_ERR_SIGNATURE, CV_OK, c};
use crate::guarded::Ctx;
use crate::prehash;
use crate::source::Source;

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
pub fn forgeries(s: &mut Source, set: &Set, key: &Key, public: &[u8], m: &Input, right: &[u8]) {
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
pub fn operations(s: &mut Source, set: &Set, key: &Key, public: bool) {
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
pub fn keys(s: &mut Source, set: &Set, [public, private]: &[Vec<u8>; 2]) {
    for (function, right) in
        [(ffi::cv_mldsa_import_public as Import, public), (ffi::cv_mldsa_import_private, private)]
    {
        for len in [0, right.len() - 1, right.len() + 1] {
            let bytes: Vec<u8> = right.iter().copied().chain([0]).take(len).collect();
            let (key, status) = import(s, set, function, &bytes);
            assert_eq!(status, CV_ERR_LENGTH);
            operations(s, set, &key, false);
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
    operations(s, set, &key, false);
}

/// Contexts that are too long, and texts that are not digests.
pub fn arguments(s: &mut Source, set: &Set, key: &Key) {
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
