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
        other => panic!("no oracle for {other}: write one"),
    }
}

fn extend<H: ExtendableOutput + Default>(message: &[u8], length: usize) -> Vec<u8> {
    let mut out = vec![0; length];
    H::digest_xof(message, &mut out);
    out
}

/// Message authentication codes.
pub fn mac(job: &Job) -> Vec<u8> {
    match (job.algorithm.as_str(), job.parameter.as_str()) {
        // GMAC is GCM of nothing, with the message as associated data (SP 800-38D, section 3).
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
