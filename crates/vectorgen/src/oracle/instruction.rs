//! Draft instructions on an element group, or on elements, in the byte order of the register file.

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes256};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;
use keccak::Keccak;
use num_bigint::BigUint;
use std::ops::Range;

/// Round constants of Keccak-f\[1600\], as the Keccak team publishes them (Keccak reference, table of RC).
const ROUND_CONSTANTS: [u64; 24] = [
    0x0000000000000001,
    0x0000000000008082,
    0x800000000000808a,
    0x8000000080008000,
    0x000000000000808b,
    0x0000000080000001,
    0x8000000080008081,
    0x8000000000008009,
    0x000000000000008a,
    0x0000000000000088,
    0x0000000080008009,
    0x000000008000000a,
    0x000000008000808b,
    0x800000000000008b,
    0x8000000000008089,
    0x8000000000008003,
    0x8000000000008002,
    0x8000000000000080,
    0x000000000000800a,
    0x800000008000000a,
    0x8000000080008081,
    0x8000000000008080,
    0x0000000080000001,
    0x8000000080008008,
];

/// A group after these rounds. RustCrypto computes only the last n rounds; its very last round becomes any other
/// when the round constant is exchanged.
pub fn keccak(group: &[u8], rounds: Range<usize>) -> Vec<u8> {
    let (state, rest) = group.split_at(200);
    let mut lanes = [0; 25];
    for (lane, bytes) in lanes.iter_mut().zip(state.chunks_exact(8)) {
        *lane = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    }
    match rounds {
        Range { start: 0, end: 24 } => Keccak::new().with_f1600(|f| f(&mut lanes)),
        Range { start: 12, end: 24 } => Keccak::new().with_p1600::<12>(|p| p(&mut lanes)),
        _ => rounds.for_each(|n| {
            Keccak::new().with_p1600::<1>(|p| p(&mut lanes));
            lanes[0] ^= ROUND_CONSTANTS[23] ^ ROUND_CONSTANTS[n];
        }),
    }
    lanes.iter().flat_map(|lane| lane.to_le_bytes()).chain(rest.iter().copied()).collect()
}

/// The product in the field of GHASH.
pub fn ghash(block: &[u8], key: &[u8]) -> Vec<u8> {
    let block: [u8; 16] = block.try_into().expect("a block");
    let key: [u8; 16] = key.try_into().expect("a block");
    let mut hash = GHash::new(&key.into());
    hash.update(&[block.into()]);
    hash.finalize().to_vec()
}

/// A block in AES-128 or AES-256.
pub fn aes(key: &[u8], data: &[u8], encrypt: bool) -> Vec<u8> {
    let mut block = <[u8; 16]>::try_from(data).expect("a block").into();
    match (<[u8; 16]>::try_from(key), encrypt) {
        (Ok(key), true) => Aes128::new(&key.into()).encrypt_block(&mut block),
        (Ok(key), false) => Aes128::new(&key.into()).decrypt_block(&mut block),
        (Err(_), encrypt) => {
            let key: [u8; 32] = key.try_into().expect("a key");
            let cipher = Aes256::new(&key.into());
            if encrypt {
                cipher.encrypt_block(&mut block)
            } else {
                cipher.decrypt_block(&mut block)
            }
        }
    }
    block.to_vec()
}

/// SubBytes of a byte: a round on equal bytes is SubBytes, since ShiftRows and MixColumns do not change them.
fn substituted(byte: u8) -> u8 {
    let mut block = [byte; 16].into();
    ::aes::hazmat::cipher_round(&mut block, &[0; 16].into());
    block[0]
}

/// Round key `n` (FIPS 197, algorithm 2).
pub fn round_key(key: &[u8], n: usize) -> Vec<u8> {
    let words = key.len() / 4;
    let mut schedule: Vec<[u8; 4]> =
        key.chunks_exact(4).map(|word| word.try_into().expect("four bytes")).collect();
    let mut constant = 1u8;
    for i in words..4 * (n + 1) {
        let mut word = schedule[i - 1];
        if i % words == 0 {
            word.rotate_left(1);
            word = word.map(substituted);
            word[0] ^= constant;
            constant = constant << 1 ^ if constant >> 7 == 1 { 0x1b } else { 0 };
        } else if words > 6 && i % words == 4 {
            word = word.map(substituted);
        }
        let before = schedule[i - words];
        schedule.push(std::array::from_fn(|k| word[k] ^ before[k]));
    }
    schedule[4 * n..4 * n + 4].concat()
}

/// Applies `f` to corresponding elements of `bytes` bytes.
fn elements(sources: [&[u8]; 3], bytes: usize, f: impl Fn([u64; 3]) -> u64) -> Vec<u8> {
    let element = |source: &[u8], k: usize| {
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(&source[bytes * k..bytes * (k + 1)]);
        u64::from_le_bytes(word)
    };
    let count = sources[0].len() / bytes;
    let result = |k| f(sources.map(|source| element(source, k))).to_le_bytes()[..bytes].to_vec();
    (0..count).flat_map(result).collect()
}

/// The lower or upper halves of the carry-less products of elements of `bytes` bytes.
pub fn clmul(a: &[u8], b: &[u8], bytes: usize, high: bool) -> Vec<u8> {
    elements([a, b, b], bytes, |[a, b, _]| {
        let bits = (0..8 * bytes).filter(|bit| b >> bit & 1 == 1);
        let product = bits.fold(0, |sum, bit| sum ^ a << bit);
        if high { product >> (8 * bytes) } else { product }
    })
}

/// a b + d modulo `modulus`, for elements of `bytes` bytes.
pub fn multiply_add(a: &[u8], b: &[u8], d: &[u8], bytes: usize, modulus: u64) -> Vec<u8> {
    elements([a, b, d], bytes, |[a, b, d]| {
        let sum = (BigUint::from(a) * b + d) % modulus;
        u64::try_from(sum).expect("below the modulus")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_compose_to_what_rustcrypto_computes() {
        let group: Vec<u8> = (0..=255).collect();
        for start in 0..24 {
            assert_eq!(
                keccak(&keccak(&group, 0..start), start..24),
                keccak(&group, 0..24),
                "{start}"
            );
        }
    }

    #[test]
    fn last_round_keys_are_those_of_fips_197() {
        let hex = |text: &str| hex::decode(text).unwrap();
        let key = hex("2b7e151628aed2a6abf7158809cf4f3c");
        assert_eq!(round_key(&key, 10), hex("d014f9a8c9ee2589e13f0cc8b6630ca6"));
        let key = hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
        assert_eq!(round_key(&key, 13), hex("cafaaae3e4d59b349adf6acebd10190d"));
        assert_eq!(round_key(&key, 14), hex("fe4890d1e6188d0b046df344706c631e"));
    }
}
