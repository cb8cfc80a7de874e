//! SLH-DSA: keys, signatures of messages and digests, and what is refused.

use crate::ffi::{self, CV_ERR_LENGTH, CV_ERR_SIGNATURE, CV_OK, HashKind, SlhDsaKind, c};
use crate::guarded::{Guarded, Place};
use crate::prehash::{self, Message};
use crate::source::Source;
use sha2::{Digest, Sha256};
use slh_dsa::{ParameterSet, Signature, SigningKey, VerifyingKey};
use std::ffi::c_int;

type Sign = fn(&[u8], &[u8], Option<&[u8]>) -> Vec<u8>;

/// A parameter set: libcapvec's, and RustCrypto's functions.
pub(crate) struct Set {
    pub name: &'static str,
    pub kind: *const SlhDsaKind,
    pub n: usize,
    pub signature: usize,
    /// Bytes of the signature of FORS.
    pub fors: usize,
    /// The private key of a seed.
    pub key: fn(&[u8]) -> Vec<u8>,
    /// The signature of M' with a private key and randomness.
    pub sign: Sign,
    /// Whether a public key accepts this signature of M'.
    pub accepts: fn(&[u8], &[u8], &[u8]) -> bool,
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

/// The number of sets with fast signatures, which come first.
const FAST: usize = 6;

pub(crate) fn sets() -> [Set; 12] {
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

pub(crate) fn sign_c(
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

pub(crate) fn verify_c(
    s: &mut Source,
    set: &Set,
    public: &[u8],
    m: &Message,
    signature: &[u8],
) -> c_int {
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

/// The private key that libcapvec makes from a seed. The seed may be in the buffer that the key is written to.
pub(crate) fn generate(s: &mut Source, set: &Set, seed: &[u8]) -> Vec<u8> {
    let place = s.place();
    let key = Guarded::new(&[seed, &vec![0x5a; set.n]].concat(), place);
    let apart = s.buffer(seed);
    let from = if s.flag() { key.ptr() } else { apart.ptr() };
    c!(cv_slhdsa_generate(set.kind, key.ptr(), from));
    assert_eq!(apart.bytes(), seed);
    key.bytes().to_vec()
}

/// One wrong bit in each part of the signature, at the ends of each half of the key, in the message and in the context.
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
    for at in [0, set.n - 1, set.n, 2 * set.n - 1] {
        let mut wrong = public.to_vec();
        wrong[at] ^= 1 << s.below(8);
        let status = verify_c(s, set, &wrong, m, right);
        assert_eq!(status, CV_ERR_SIGNATURE, "{}: another key", set.name);
    }
    for wrong in m.others(s) {
        let status = verify_c(s, set, public, &wrong, right);
        assert_eq!(status, CV_ERR_SIGNATURE, "{}: another message", set.name);
    }
}

/// Every wrong length of a signature or a key. None of their bytes may be read.
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

/// Contexts that are too long, and texts that are not digests.
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

fn sizes(set: &Set) {
    let (n, kind) = (set.n, set.kind);
    assert_eq!(c!(cv_slhdsa_seed_size(kind)), 3 * n, "{}", set.name);
    assert_eq!(c!(cv_slhdsa_random_size(kind)), n, "{}", set.name);
    assert_eq!(c!(cv_slhdsa_public_size(kind)), 2 * n, "{}", set.name);
    assert_eq!(c!(cv_slhdsa_private_size(kind)), 4 * n, "{}", set.name);
    assert_eq!(c!(cv_slhdsa_signature_size(kind)), set.signature, "{}", set.name);
}

/// The checks that need a key and a right signature.
fn accepted_and_refused(s: &mut Source, set: &Set, private: &[u8], m: &Message, right: &[u8]) {
    let public = &private[2 * set.n..];
    assert_eq!(verify_c(s, set, public, m, right), CV_OK, "{}", set.name);
    forgeries(s, set, public, m, right);
    lengths(s, set, public, private);
    bad_arguments(s, set, public, private);
}

fn compare(s: &mut Source, set: &Set) {
    sizes(set);
    let seed = s.bytes(3 * set.n);
    let private = (set.key)(&seed);
    assert_eq!(generate(s, set, &seed), private, "{}: key of {seed:?}", set.name);

    let digested = s.flag();
    let m = prehash::message(s, digested);
    let random = s.bytes(set.n);
    let random = s.flag().then_some(&random[..]);
    let expected = (set.sign)(&private, &m.whole, random);
    let signature = sign_c(s, set, &private, &m, random).expect("a signature");
    let differs = (0..set.signature).find(|i| signature[*i] != expected[*i]);
    assert_eq!(differs, None, "{}: first wrong byte; seed {seed:?}", set.name);
    accepted_and_refused(s, set, &private, &m, &expected);
}

/// SLH-DSA in any parameter set with fast signatures.
pub fn slhdsa(s: &mut Source) {
    let set = &sets()[s.below(FAST)];
    compare(s, set);
}

/// SLH-DSA in each parameter set, the `small` ones included or not.
pub fn each_set(s: &mut Source, small: bool) {
    let all = sets();
    all[..if small { all.len() } else { FAST }].iter().for_each(|set| compare(s, set));
}

/// Seed, message and randomness of `SMALL`: bytes that count up.
fn fixed(set: &Set) -> (Vec<u8>, Message, Vec<u8>) {
    let count = |first: u8, len: usize| (0..len).map(|i| first.wrapping_add(i as u8)).collect();
    let m = Message::new(std::ptr::null(), &[], count(100, 100), count(200, 20));
    (count(0, 3 * set.n), m, count(150, set.n))
}

/// SHA-256 of RustCrypto's signatures of [`fixed`] with the sets whose signatures are small. RustCrypto takes seconds for
/// each, so the test compares with these digests.
const SMALL: [&str; 6] = [
    "c6786a0f75c71b30ca4d706efe9ca5b5efcba8deb68e4426ce9402b54326369d",
    "26b610495deb4991cb94ea344ad139e254e01707bb846e3c21dfcac8c4e3edf7",
    "88177e163bc40a61313528ffcd33b9dc36cd8df8c105bdd2bde473a96d383bf9",
    "67951411d28c06aa9860785089ca734428060eaa88c0d792e899268f769f2cef",
    "f57d50191b321be75a5191beca87d084e3522deebc956c09accdb86553eba09d",
    "0f01539329213f9aae3c9cd1ddce90d6eb6dc862026337df1480fc82426f472d",
];

fn digest(signature: &[u8]) -> String {
    Sha256::digest(signature).iter().map(|b| format!("{b:02x}")).collect()
}

/// What each entry of `SMALL` has to be, and what it is.
pub fn small_digests() -> [(String, &'static str); 6] {
    std::array::from_fn(|i| {
        let set = &sets()[FAST + i];
        let (seed, m, random) = fixed(set);
        let signature = (set.sign)(&(set.key)(&seed), &m.whole, Some(&random));
        (digest(&signature), SMALL[i])
    })
}

/// SLH-DSA in the parameter sets with small signatures, on fixed keys and messages.
pub fn each_small_set(s: &mut Source) {
    for (set, expected) in sets()[FAST..].iter().zip(SMALL) {
        sizes(set);
        let (seed, m, random) = fixed(set);
        let private = generate(s, set, &seed);
        let signature = sign_c(s, set, &private, &m, Some(&random)).expect("a signature");
        assert_eq!(digest(&signature), expected, "{}", set.name);
        assert!((set.accepts)(&private[2 * set.n..], &m.whole, &signature), "{}", set.name);
        accepted_and_refused(s, set, &private, &m, &signature);
    }
}
