//! Recomputes the pattern answers of `cases/` with RustCrypto, which shares no code with the library under test.
//!
//! With CAPVEC_PRINT_ANSWERS=1 it prints the `pattern` tables for new lengths instead.

use aes::cipher::{Block, BlockCipherEncrypt, KeyInit, KeyIvInit, StreamCipher};
use aes_gcm::aead::{Aead, Payload};
use capvec_bench::case::{Case, all, pattern_message};
use sha2::{Digest, Sha256, Sha512};

fn ecb<C: KeyInit + BlockCipherEncrypt>(key: &[u8], message: &[u8]) -> Vec<u8> {
    let cipher = C::new_from_slice(key).unwrap();
    let mut out = message.to_vec();
    for block in out.chunks_exact_mut(16) {
        let block: &mut Block<C> = block.try_into().unwrap();
        cipher.encrypt_block(block);
    }
    out
}

fn stream<C: KeyIvInit + StreamCipher>(key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
    let mut out = message.to_vec();
    C::new_from_slices(key, iv).unwrap().apply_keystream(&mut out);
    out
}

/// ChaCha20 with the block counter in front of the nonce, as EVP takes it.
fn chacha20(key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
    use chacha20::cipher::StreamCipherSeek;
    let counter = u32::from_le_bytes(iv[..4].try_into().unwrap());
    let mut cipher = chacha20::ChaCha20::new_from_slices(key, &iv[4..]).unwrap();
    cipher.seek(counter as u64 * 64);
    let mut out = message.to_vec();
    cipher.apply_keystream(&mut out);
    out
}

fn xts(key: &[u8], iv: &[u8], message: &[u8]) -> Vec<u8> {
    let half = key.len() / 2;
    let ciphers = [&key[..half], &key[half..]].map(|k| aes::Aes128::new_from_slice(k).unwrap());
    let [data, tweak] = ciphers;
    let mut out = message.to_vec();
    xts_mode::Xts128::new(data, tweak).encrypt_sector(&mut out, iv.try_into().unwrap());
    out
}

fn gcm(key: &[u8], iv: &[u8], aad: &[u8], message: &[u8]) -> Vec<u8> {
    let cipher = aes_gcm::Aes128Gcm::new_from_slice(key).unwrap();
    cipher.encrypt(iv.try_into().unwrap(), Payload { msg: message, aad }).unwrap()
}

fn oracle(case: &Case, message: &[u8]) -> Vec<u8> {
    let bytes = |h: &str| hex::decode(h).unwrap();
    let (key, iv, aad) = (bytes(&case.key), bytes(&case.iv), bytes(&case.aad));
    match case.id.as_str() {
        "aes-128-ecb" => ecb::<aes::Aes128>(&key, message),
        "aes-128-ctr" => stream::<ctr::Ctr128BE<aes::Aes128>>(&key, &iv, message),
        "aes-128-gcm" => gcm(&key, &iv, &aad, message),
        "aes-128-xts" => xts(&key, &iv, message),
        "ghash" => gcm(&key, &iv, message, &[]),
        "sha256" => Sha256::digest(message).to_vec(),
        "sha512" => Sha512::digest(message).to_vec(),
        "sm3" => sm3::Sm3::digest(message).to_vec(),
        "sm4-ecb" => ecb::<sm4::Sm4>(&key, message),
        "chacha20" => chacha20(&key, &iv, message),
        other => panic!("no oracle for {other}: write one"),
    }
}

#[test]
fn pattern_answers_are_those_of_rustcrypto() {
    let print = std::env::var_os("CAPVEC_PRINT_ANSWERS").is_some();
    for case in all().unwrap() {
        for p in &case.pattern {
            let digest = hex::encode(Sha256::digest(oracle(&case, &pattern_message(p.bytes))));
            if print {
                println!("{}: {{ bytes = {}, sha256 = \"{digest}\" }},", case.id, p.bytes);
            } else {
                assert_eq!(p.sha256, digest, "{} of {} bytes", case.id, p.bytes);
            }
        }
    }
}
