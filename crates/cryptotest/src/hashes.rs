//! Oracles of hashes, each with libcapvec's hash of the same name.

use crate::ffi::c;
use crate::ffi::{self, HashKind};
use hmac::KeyInit;
use hmac::digest::{Digest, ExtendableOutput, FixedOutput, Mac};
use shake::{Shake128, Shake256};

/// A fixed-size hash.
pub struct Fixed {
    /// libcapvec's.
    pub kind: *const HashKind,
    /// RustCrypto's.
    pub digest: fn(&[u8]) -> Vec<u8>,
    /// HMAC with it, of a key and a message.
    pub hmac: fn(&[u8], &[u8]) -> Vec<u8>,
}

/// cSHAKE of name, customization, message and size.
pub type Cshake = fn(&[u8], &[u8], &[u8], usize) -> Vec<u8>;

/// An extendable hash.
pub struct Extendable {
    /// libcapvec's.
    pub kind: *const HashKind,
    /// RustCrypto's: `len` bytes for a message.
    pub digest: fn(&[u8], usize) -> Vec<u8>,
    /// cSHAKE of name, customization and message.
    pub cshake: Cshake,
}

fn digest<H: Digest>(message: &[u8]) -> Vec<u8> {
    H::digest(message).to_vec()
}

fn hmac<M: KeyInit + Mac + FixedOutput>(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(key).expect("any length");
    Mac::update(&mut mac, message);
    mac.finalize().into_bytes().to_vec()
}

fn extend<H: ExtendableOutput + Default>(message: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    H::digest_xof(message, &mut out);
    out
}

macro_rules! fixed {
    ($($kind:ident $hash:ty;)*) => {
        /// Every hash with a size.
        pub fn fixed() -> Vec<Fixed> {
            vec![$(Fixed {
                kind: &raw const ffi::$kind,
                digest: digest::<$hash>,
                hmac: hmac::<hmac::SimpleHmac<$hash>>,
            }),*]
        }
    };
}

fixed! {
    cv_sha1 sha1::Sha1;
    cv_sha224 sha2::Sha224;
    cv_sha256 sha2::Sha256;
    cv_sha384 sha2::Sha384;
    cv_sha512 sha2::Sha512;
    cv_sha512_224 sha2::Sha512_224;
    cv_sha512_256 sha2::Sha512_256;
    cv_sha3_224 sha3::Sha3_224;
    cv_sha3_256 sha3::Sha3_256;
    cv_sha3_384 sha3::Sha3_384;
    cv_sha3_512 sha3::Sha3_512;
    cv_sm3 sm3::Sm3;
}

macro_rules! cshake {
    ($hash:ty) => {
        |name, custom, message, len| {
            use cshake::digest::{ExtendableOutput, Update, XofReader};
            let mut hash = <$hash>::new_with_function_name(name, custom);
            hash.update(message);
            let mut out = vec![0; len];
            hash.finalize_xof().read(&mut out);
            out
        }
    };
}

/// Every extendable hash.
pub fn extendable() -> Vec<Extendable> {
    vec![
        Extendable {
            kind: &raw const ffi::cv_shake128,
            digest: extend::<Shake128>,
            cshake: cshake!(cshake::CShake128),
        },
        Extendable {
            kind: &raw const ffi::cv_shake256,
            digest: extend::<Shake256>,
            cshake: cshake!(cshake::CShake256),
        },
    ]
}

/// KMAC (SP 800-185, 4.3) over cSHAKE: of key, customization and message; `xof` is KMACXOF.
pub fn kmac(
    hash: &Extendable,
    key: &[u8],
    custom: &[u8],
    message: &[u8],
    len: usize,
    xof: bool,
) -> Vec<u8> {
    let rate = c!(cv_hash_block(hash.kind));
    let number = |n: usize| {
        let bytes = ((n as u64) << 3).to_be_bytes();
        let zeros = bytes.iter().take(7).take_while(|b| **b == 0).count();
        bytes[zeros..].to_vec()
    };
    // bytepad(encode_string(key), rate): left_encode(rate), whose rate is below 256, then the string, then zeros.
    let length = number(key.len());
    let mut text = vec![1, rate as u8, length.len() as u8];
    text.extend(length);
    text.extend(key);
    text.resize(text.len().next_multiple_of(rate), 0);
    text.extend(message);
    let length = number(if xof { 0 } else { len });
    text.extend(&length);
    text.push(length.len() as u8);
    (hash.cshake)(b"KMAC", custom, &text, len)
}
