//! What ML-DSA and SLH-DSA sign: messages, and digests for HashML-DSA and HashSLH-DSA.

use crate::ffi::{self, HashKind};
use crate::hashes;
use crate::source::Source;

/// A hash, the last number of its object identifier, and the size of its digests in bytes.
type Hash = (*const HashKind, u8, usize);

/// ACVP's names of the hashes, in the order of their identifiers.
const NAMES: [&str; 12] = [
    "sha2-256",
    "sha2-384",
    "sha2-512",
    "sha2-224",
    "sha2-512/224",
    "sha2-512/256",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "shake-128",
    "shake-256",
];

/// Every hash.
fn all() -> [Hash; 12] {
    [
        (&raw const ffi::cv_sha256, 1, 32),
        (&raw const ffi::cv_sha384, 2, 48),
        (&raw const ffi::cv_sha512, 3, 64),
        (&raw const ffi::cv_sha224, 4, 28),
        (&raw const ffi::cv_sha512_224, 5, 28),
        (&raw const ffi::cv_sha512_256, 6, 32),
        (&raw const ffi::cv_sha3_224, 7, 28),
        (&raw const ffi::cv_sha3_256, 8, 32),
        (&raw const ffi::cv_sha3_384, 9, 48),
        (&raw const ffi::cv_sha3_512, 10, 64),
        (&raw const ffi::cv_shake128, 11, 32),
        (&raw const ffi::cv_shake256, 12, 64),
    ]
}

/// A hash by ACVP's name, RustCrypto's digest of a text with it, and its object identifier in DER.
pub(crate) fn named(name: &str, text: &[u8]) -> (*const HashKind, Vec<u8>, Vec<u8>) {
    let at = NAMES.iter().position(|n| *n == name).expect("the name of a hash");
    digest(all()[at], text)
}

fn digest((hash, number, size): Hash, text: &[u8]) -> (*const HashKind, Vec<u8>, Vec<u8>) {
    let fixed = hashes::fixed().into_iter().find(|h| h.kind == hash).map(|h| (h.digest)(text));
    let digest = fixed.unwrap_or_else(|| {
        let extendable = hashes::extendable();
        let found = extendable.iter().find(|h| h.kind == hash).expect("one of the two");
        (found.digest)(text, size)
    });
    assert_eq!(digest.len(), size);
    let oid = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, number];
    (hash, digest, oid.to_vec())
}

/// A message, or a digest, with a context.
#[derive(Clone)]
pub(crate) struct Message {
    /// Null unless `bytes` are a digest.
    pub hash: *const HashKind,
    pub bytes: Vec<u8>,
    pub context: Vec<u8>,
    /// M' of the standards.
    pub whole: Vec<u8>,
}

impl Message {
    pub fn new(hash: *const HashKind, oid: &[u8], bytes: Vec<u8>, context: Vec<u8>) -> Message {
        let first = [u8::from(!hash.is_null()), context.len() as u8];
        let whole = [&first, &context[..], oid, &bytes].concat();
        Message { hash, bytes, context, whole }
    }

    /// The empty message without a context.
    pub fn empty() -> Message {
        Message::new(std::ptr::null(), &[], Vec::new(), Vec::new())
    }

    /// Messages that a signature of this one does not sign.
    pub fn others(&self, s: &mut Source) -> Vec<Message> {
        let flipped = |bytes: &[u8], s: &mut Source| match bytes.len() {
            0 => vec![0],
            n => {
                let mut other = bytes.to_vec();
                other[s.below(n)] ^= 1 << s.below(8);
                other
            }
        };
        let context = Message { context: flipped(&self.context, s), ..self.clone() };
        if self.hash.is_null() {
            return vec![context, Message { bytes: flipped(&self.bytes, s), ..self.clone() }];
        }
        let digest = Message { bytes: flipped(&self.bytes, s), ..self.clone() };
        // Not the digest, but the same bytes as a message; another hash with digests of this length.
        let pure = Message { hash: std::ptr::null(), ..self.clone() };
        let same = |h: &&Hash| h.0 != self.hash && h.2 == self.bytes.len();
        let hash = all().iter().find(same).expect("each length has two").0;
        vec![context, digest, pure, Message { hash, ..self.clone() }]
    }
}

/// A message, or the digest of one.
pub(crate) fn message(s: &mut Source, digested: bool) -> Message {
    let (len, context_len) = (s.len(2000), s.len(255));
    let context = s.bytes(context_len);
    if digested {
        let hash = s.pick(&all());
        let (hash, bytes, oid) = digest(hash, &s.bytes(len));
        return Message::new(hash, &oid, bytes, context);
    }
    Message::new(std::ptr::null(), &[], s.bytes(len), context)
}

/// Hashes that have no identifier, and lengths that their digests do not have.
pub(crate) fn refused() -> Vec<(*const HashKind, usize)> {
    let others = [(&raw const ffi::cv_sha1, 20), (&raw const ffi::cv_sm3, 32)];
    let wrong = all().into_iter().flat_map(|(hash, _, size)| [(hash, size - 1), (hash, size + 1)]);
    others.into_iter().chain(wrong).collect()
}
