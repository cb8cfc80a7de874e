//! Digests of HashML-DSA and HashSLH-DSA.

use crate::ffi::{self, HashKind};
use crate::hashes;
use crate::source::Source;

/// The hashes with the last number of their object identifier, and bytes of their digests.
fn all() -> [(*const HashKind, u8, usize); 12] {
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

/// A hash, RustCrypto's digest of a message with it, and its object identifier in DER.
pub(crate) fn digest(s: &mut Source, len: usize) -> (*const HashKind, Vec<u8>, Vec<u8>) {
    let (hash, number, size) = s.pick(&all());
    let text = s.bytes(len);
    let fixed = hashes::fixed().into_iter().find(|h| h.kind == hash).map(|h| (h.digest)(&text));
    let digest = fixed.unwrap_or_else(|| {
        let extendable = hashes::extendable();
        let found = extendable.iter().find(|h| h.kind == hash).expect("one of the two");
        (found.digest)(&text, size)
    });
    assert_eq!(digest.len(), size);
    let oid = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, number];
    (hash, digest, oid.to_vec())
}

/// Hashes that have no identifier, and lengths that their digests do not have.
pub(crate) fn refused() -> Vec<(*const HashKind, usize)> {
    let others = [(&raw const ffi::cv_sha1, 20), (&raw const ffi::cv_sm3, 32)];
    let wrong = all().into_iter().flat_map(|(hash, _, size)| [(hash, size - 1), (hash, size + 1)]);
    others.into_iter().chain(wrong).collect()
}
