//! ML-KEM: keys, encapsulation and decapsulation, and what the checks of FIPS 203 refuse.

use crate::ffi::{self, CV_ERR_KEY, CV_ERR_LENGTH, CV_OK, MlKemKey, MlKemKind, c};
use crate::guarded::{Ctx, Guarded};
use crate::source::Source;
use ml_kem::kem::{Decapsulate, KeyExport};
use std::ffi::c_int;

type Encaps = fn(&[u8], &[u8]) -> Option<[Vec<u8>; 2]>;

/// A parameter set: libcapvec's, and RustCrypto's functions. Those that take an encoded key return nothing if it is
/// refused.
pub(crate) struct Set {
    pub kind: *const MlKemKind,
    pub k: usize,
    pub ciphertext: usize,
    /// Both keys of a seed.
    pub keys: fn(&[u8]) -> [Vec<u8>; 2],
    /// Ciphertext and secret for a public key and randomness.
    pub encaps: Encaps,
    /// The secret for a private key and a ciphertext.
    pub decaps: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
}

/// A macro, because the crate's trait of sizes is private.
macro_rules! set {
    ($kind:ident, $k:expr, $ciphertext:expr, $size:ty) => {
        Set {
            kind: &raw const ffi::$kind,
            k: $k,
            ciphertext: $ciphertext,
            // The expanded form is what the standard calls dk.
            keys: |seed| {
                #[allow(deprecated)]
                use ml_kem::ExpandedKeyEncoding;
                let seed = seed.try_into().expect("64 bytes");
                let private = ml_kem::DecapsulationKey::<$size>::from_seed(seed);
                let public = private.encapsulation_key().to_bytes().to_vec();
                #[allow(deprecated)]
                let private = private.to_expanded_bytes().to_vec();
                [public, private]
            },
            encaps: |key, random| {
                let key = key.try_into().expect("the key's length");
                let key = ml_kem::EncapsulationKey::<$size>::new(key).ok()?;
                let random = random.try_into().expect("32 bytes");
                let (ciphertext, secret) = key.encapsulate_deterministic(random);
                Some([ciphertext.to_vec(), secret.to_vec()])
            },
            decaps: |key, ciphertext| {
                #[allow(deprecated)]
                use ml_kem::ExpandedKeyEncoding;
                let key = key.try_into().expect("the key's length");
                #[allow(deprecated)]
                let key = ml_kem::DecapsulationKey::<$size>::from_expanded_bytes(key).ok()?;
                Some(key.decapsulate_slice(ciphertext).expect("its length").to_vec())
            },
        }
    };
}

pub(crate) fn sets() -> [Set; 3] {
    [
        set!(cv_mlkem512, 2, 768, ml_kem::MlKem512),
        set!(cv_mlkem768, 3, 1088, ml_kem::MlKem768),
        set!(cv_mlkem1024, 4, 1568, ml_kem::MlKem1024),
    ]
}

type Import =
    unsafe extern "C" fn(*mut MlKemKey, *const MlKemKind, *const u8, usize) -> std::ffi::c_int;

/// Imports into a fresh context.
fn import(s: &mut Source, set: &Set, function: Import, bytes: &[u8]) -> (Ctx<MlKemKey>, c_int) {
    let (key, buffer) = (Ctx::<MlKemKey>::new(), s.buffer(bytes));
    // SAFETY: as in `c!`.
    let status = unsafe { function(key.ptr(), set.kind, buffer.ptr(), bytes.len()) };
    (key, status)
}

/// What an exporting function writes: `len` bytes.
pub(crate) fn export(
    s: &mut Source,
    key: &Ctx<MlKemKey>,
    function: unsafe extern "C" fn(*const MlKemKey, *mut u8) -> c_int,
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

pub(crate) fn encaps(
    s: &mut Source,
    set: &Set,
    key: &Ctx<MlKemKey>,
    random: &[u8],
) -> [Vec<u8>; 2] {
    let (ciphertext, secret) = (s.buffer(&vec![0; set.ciphertext]), s.buffer(&[0; 32]));
    let random = s.buffer(random);
    let status = c!(cv_mlkem_encaps(key.ptr(), ciphertext.ptr(), secret.ptr(), random.ptr()));
    assert_eq!(status, CV_OK);
    [ciphertext.bytes().to_vec(), secret.bytes().to_vec()]
}

pub(crate) fn decaps(s: &mut Source, key: &Ctx<MlKemKey>, ciphertext: &[u8]) -> Vec<u8> {
    let (secret, buffer) = (s.buffer(&[0; 32]), s.buffer(ciphertext));
    let status = c!(cv_mlkem_decaps(key.ptr(), secret.ptr(), buffer.ptr(), ciphertext.len()));
    assert_eq!(status, CV_OK);
    secret.bytes().to_vec()
}

/// Without a key, or without its private part, operations fail.
fn lacks(s: &mut Source, set: &Set, key: &Ctx<MlKemKey>, public: bool) {
    let buffers: [Guarded; 3] = [set.ciphertext, 32, 32].map(|n| s.buffer(&vec![0; n]));
    let [ciphertext, secret, random] = &buffers;
    let private = set.k * 768 + 96;
    if !public {
        let status = c!(cv_mlkem_encaps(key.ptr(), ciphertext.ptr(), secret.ptr(), random.ptr()));
        assert_eq!(status, CV_ERR_KEY);
        let exported = export(s, key, ffi::cv_mlkem_export_public, set.k * 384 + 32);
        assert_eq!(exported, Err(CV_ERR_KEY));
    }
    let status = c!(cv_mlkem_decaps(key.ptr(), secret.ptr(), ciphertext.ptr(), set.ciphertext));
    assert_eq!(status, CV_ERR_KEY);
    assert_eq!(export(s, key, ffi::cv_mlkem_export_private, private), Err(CV_ERR_KEY));
    assert_eq!(export(s, key, ffi::cv_mlkem_export_seed, 64), Err(CV_ERR_KEY));
    assert!(buffers.iter().all(|b| b.bytes().iter().all(|b| *b == 0)), "written after an error");
}

/// Changes a coefficient of 12 bits to one that is not reduced.
fn exceed(s: &mut Source, key: &mut [u8], coefficients: usize) {
    let (at, value) = (s.below(coefficients), 3329 + s.below(4096 - 3329));
    let [low, high] = [value as u8, (value >> 8) as u8];
    let bytes = &mut key[at / 2 * 3..][..3];
    if at % 2 == 0 {
        (bytes[0], bytes[1]) = (low, bytes[1] & 0xf0 | high);
    } else {
        bytes[1] = bytes[1] & 0x0f | low << 4;
        bytes[2] = high << 4 | low >> 4;
    }
}

/// Keys that are refused: wrong lengths, coefficients that are not reduced, a wrong hash.
fn refused(s: &mut Source, set: &Set, [public, private]: &[Vec<u8>; 2]) {
    let mut try_it = |import_: Import, bytes: &[u8], expected| {
        let (key, status) = import(s, set, import_, bytes);
        assert_eq!(status, expected, "a key of {} bytes", bytes.len());
        lacks(s, set, &key, false);
    };
    for (import, right) in
        [(ffi::cv_mlkem_import_public as Import, public), (ffi::cv_mlkem_import_private, private)]
    {
        for len in [0, right.len() - 1, right.len() + 1] {
            let bytes: Vec<u8> = right.iter().copied().chain([0]).take(len).collect();
            try_it(import, &bytes, CV_ERR_LENGTH);
        }
    }
    let mut wrong = public.clone();
    exceed(s, &mut wrong, set.k * 256);
    assert!((set.encaps)(&wrong, &[0; 32]).is_none(), "the oracle");
    let (key, status) = import(s, set, ffi::cv_mlkem_import_public, &wrong);
    assert_eq!(status, CV_ERR_KEY);
    lacks(s, set, &key, false);
    // The private key: s, the public key, its hash, z.
    let (begin, end) = (set.k * 384, set.k * 768 + 64);
    for case in 0..3 {
        let mut wrong = private.clone();
        match case {
            0 => exceed(s, &mut wrong, set.k * 256),
            1 => exceed(s, &mut wrong[begin..], set.k * 256),
            _ => wrong[begin + s.below(end - begin)] ^= 1 << s.below(8),
        }
        let (key, status) = import(s, set, ffi::cv_mlkem_import_private, &wrong);
        assert_eq!(status, CV_ERR_KEY, "case {case}");
        lacks(s, set, &key, false);
    }
}

/// A ciphertext: whole, with a changed bit, or of any bytes.
fn ciphertext(s: &mut Source, right: &[u8]) -> Vec<u8> {
    let mut bytes = right.to_vec();
    match s.below(4) {
        0 => return s.bytes(right.len()),
        1 => bytes[s.below(right.len())] ^= 1 << s.below(8),
        2 => *bytes.last_mut().expect("not empty") ^= 0x80,
        _ => {}
    }
    bytes
}

/// ML-KEM in any parameter set.
pub fn mlkem(s: &mut Source) {
    let set = &sets()[s.below(3)];
    let (seed, random) = (s.bytes(64), s.bytes(32));
    let key = Ctx::<MlKemKey>::new();
    let buffer = s.buffer(&seed);
    c!(cv_mlkem_generate(key.ptr(), set.kind, buffer.ptr()));
    let keys = (set.keys)(&seed);
    let [public, private] = &keys;
    assert_eq!(c!(cv_mlkem_public_size(set.kind)), public.len());
    assert_eq!(c!(cv_mlkem_private_size(set.kind)), private.len());
    assert_eq!(c!(cv_mlkem_ciphertext_size(set.kind)), set.ciphertext);
    let exported = export(s, &key, ffi::cv_mlkem_export_public, public.len());
    assert_eq!(exported.as_ref(), Ok(public), "k = {}: public key of {seed:?}", set.k);
    let exported = export(s, &key, ffi::cv_mlkem_export_private, private.len());
    assert_eq!(exported.as_ref(), Ok(private), "k = {}: private key of {seed:?}", set.k);
    assert_eq!(export(s, &key, ffi::cv_mlkem_export_seed, 64), Ok(seed));

    let (from_public, status) = import(s, set, ffi::cv_mlkem_import_public, public);
    assert_eq!(status, CV_OK);
    lacks(s, set, &from_public, true);
    let (from_private, status) = import(s, set, ffi::cv_mlkem_import_private, private);
    assert_eq!(status, CV_OK);
    assert_eq!(export(s, &from_private, ffi::cv_mlkem_export_seed, 64), Err(CV_ERR_KEY));
    let exported = export(s, &from_private, ffi::cv_mlkem_export_private, private.len());
    assert_eq!(exported.as_ref(), Ok(private));

    let expected = (set.encaps)(public, &random).expect("a right key");
    for key in [&key, &from_public, &from_private] {
        assert_eq!(encaps(s, set, key, &random), expected, "k = {}, {random:?}", set.k);
    }
    let bytes = ciphertext(s, &expected[0]);
    let secret = (set.decaps)(private, &bytes).expect("a right key");
    for key in [&key, &from_private, &key.copy()] {
        assert_eq!(decaps(s, key, &bytes), secret, "k = {}", set.k);
        assert_eq!(decaps(s, key, &expected[0]), expected[1], "k = {}", set.k);
    }
    for len in [0, set.ciphertext - 1, set.ciphertext + 1] {
        let (wrong, secret) = (s.buffer(&vec![0; len]), s.buffer(&[0; 32]));
        let status = c!(cv_mlkem_decaps(key.ptr(), secret.ptr(), wrong.ptr(), len));
        assert_eq!(status, CV_ERR_LENGTH, "a ciphertext of {len} bytes");
    }
    refused(s, set, &keys);
}
