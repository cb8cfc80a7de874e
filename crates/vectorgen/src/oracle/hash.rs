//! Hashes and message authentication codes.

use super::{Job, cipher};
use aes::cipher::KeyInit;
use hmac::digest::{Digest, ExtendableOutput, FixedOutput, Mac};

/// Hashes.
pub fn digest(job: &Job) -> Vec<u8> {
    let length = job.parameter.parse().unwrap_or(0);
    match job.algorithm.as_str() {
        "SHA1" => sha1::Sha1::digest(&job.input).to_vec(),
        "SHA224" => sha2::Sha224::digest(&job.input).to_vec(),
        "SHA256" => sha2::Sha256::digest(&job.input).to_vec(),
        "SHA384" => sha2::Sha384::digest(&job.input).to_vec(),
        "SHA512" => sha2::Sha512::digest(&job.input).to_vec(),
        "SHA512-224" => sha2::Sha512_224::digest(&job.input).to_vec(),
        "SHA512-256" => sha2::Sha512_256::digest(&job.input).to_vec(),
        "SHA3-224" => sha3::Sha3_224::digest(&job.input).to_vec(),
        "SHA3-256" => sha3::Sha3_256::digest(&job.input).to_vec(),
        "SHA3-384" => sha3::Sha3_384::digest(&job.input).to_vec(),
        "SHA3-512" => sha3::Sha3_512::digest(&job.input).to_vec(),
        "SHAKE128" => extend::<shake::Shake128>(&job.input, length),
        "SHAKE256" => extend::<shake::Shake256>(&job.input, length),
        "SM3" => sm3::Sm3::digest(&job.input).to_vec(),
        "CSHAKE-128" => cshake128(b"", &job.iv, &job.input, length),
        "CSHAKE-256" => cshake256(b"", &job.iv, &job.input, length),
        other => panic!("no oracle for {other}: write one"),
    }
}

/// Output of SHAKE128.
pub fn shake128(message: &[u8], length: usize) -> Vec<u8> {
    extend::<shake::Shake128>(message, length)
}

fn extend<H: ExtendableOutput + Default>(message: &[u8], length: usize) -> Vec<u8> {
    let mut out = vec![0; length];
    H::digest_xof(message, &mut out);
    out
}

type Cshake = fn(&[u8], &[u8], &[u8], usize) -> Vec<u8>;

macro_rules! cshake {
    ($name:ident, $hash:ty) => {
        fn $name(name: &[u8], custom: &[u8], message: &[u8], length: usize) -> Vec<u8> {
            use cshake::digest::{ExtendableOutput, Update, XofReader};
            let mut hash = <$hash>::new_with_function_name(name, custom);
            hash.update(message);
            let mut out = vec![0; length];
            hash.finalize_xof().read(&mut out);
            out
        }
    };
}
cshake!(cshake128, cshake::CShake128);
cshake!(cshake256, cshake::CShake256);

/// KMAC of NIST SP 800-185, section 4.3, over cSHAKE with blocks of `rate` bytes.
fn kmac(job: &Job, cshake: Cshake, rate: usize) -> Vec<u8> {
    let length: usize = job.parameter.parse().expect("the length of a code");
    // left_encode and right_encode: a number of bits, with the number of its bytes before or after it.
    let number = |n: usize| -> Vec<u8> {
        let bytes = (n as u64 * 8).to_be_bytes();
        bytes.into_iter().skip_while(|b| *b == 0).collect()
    };
    let key = number(job.key.len());
    let mut text = [&[1, rate as u8, key.len() as u8][..], &key, &job.key].concat();
    text.resize(text.len().next_multiple_of(rate), 0);
    text.extend(&job.input);
    let code = number(length);
    text.extend(&code);
    text.push(code.len() as u8);
    cshake(b"KMAC", &job.iv, &text, length)
}

/// Message authentication codes.
pub fn mac(job: &Job) -> Vec<u8> {
    match (job.algorithm.as_str(), job.parameter.as_str()) {
        // GMAC is GCM of an empty message, with the message as associated data (SP 800-38D, section 3).
        ("GMAC" | "GHASH", cipher) => cipher::aead(&Job {
            algorithm: cipher.into(),
            parameter: String::new(),
            operation: job.operation,
            key: job.key.clone(),
            iv: job.iv.clone(),
            aad: job.input.clone(),
            input: Vec::new(),
        }),
        ("CMAC", "AES-128-CBC") => with::<cmac::Cmac<aes::Aes128>>(job),
        ("CMAC", "AES-192-CBC") => with::<cmac::Cmac<aes::Aes192>>(job),
        ("CMAC", "AES-256-CBC") => with::<cmac::Cmac<aes::Aes256>>(job),
        ("HMAC", "SHA1") => with::<hmac::Hmac<sha1::Sha1>>(job),
        ("HMAC", "SHA224") => with::<hmac::Hmac<sha2::Sha224>>(job),
        ("HMAC", "SHA384") => with::<hmac::Hmac<sha2::Sha384>>(job),
        ("HMAC", "SHA256") => with::<hmac::Hmac<sha2::Sha256>>(job),
        ("HMAC", "SHA512") => with::<hmac::Hmac<sha2::Sha512>>(job),
        ("HMAC", "SM3") => with::<hmac::Hmac<sm3::Sm3>>(job),
        ("KMAC-128", _) => kmac(job, cshake128, 168),
        ("KMAC-256", _) => kmac(job, cshake256, 136),
        ("Poly1305", "") => {
            let key = job.key.as_slice().try_into().unwrap();
            poly1305::Poly1305::new(key).compute_unpadded(&job.input).to_vec()
        }
        other => panic!("no oracle for {other:?}: write one"),
    }
}

fn with<M: KeyInit + Mac + FixedOutput>(job: &Job) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(&job.key).unwrap();
    Mac::update(&mut mac, &job.input);
    mac.finalize().into_bytes().to_vec()
}
