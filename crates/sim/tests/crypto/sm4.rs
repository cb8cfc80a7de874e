use capvec_sim::crypto::sm4::{SBOX, key_expand, rounds, sm4ed, sm4ks};
use capvec_sim::testing::Rng;
use sm4::Sm4;
use sm4::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};

/// The system parameters FK, GB/T 32907-2016 section 7.2.
const FK: [u32; 4] = [0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc];

fn words(block: [u8; 16]) -> [u32; 4] {
    std::array::from_fn(|i| u32::from_be_bytes(std::array::from_fn(|j| block[4 * i + j])))
}

fn bytes(words: [u32; 4]) -> [u8; 16] {
    std::array::from_fn(|i| words[i / 4].to_be_bytes()[i % 4])
}

/// Groups of four round keys by `vsm4k`.
fn keys_vector(key: [u8; 16]) -> Vec<[u32; 4]> {
    let mut current: [u32; 4] = std::array::from_fn(|i| words(key)[i] ^ FK[i]);
    (0..8)
        .map(|group| {
            current = key_expand(current, group);
            current
        })
        .collect()
}

/// Encrypts a block with groups of keys by `vsm4r`; the words of the result are in reverse order.
fn crypt_vector(keys: &[[u32; 4]], block: [u8; 16]) -> [u8; 16] {
    let [a, b, c, d] = keys.iter().fold(words(block), |state, group| rounds(state, *group));
    bytes([d, c, b, a])
}

fn crypt_scalar(keys: &[u32], block: [u8; 16]) -> [u8; 16] {
    let mut x = words(block).map(u32::swap_bytes);
    for key in keys {
        let input = x[1] ^ x[2] ^ x[3] ^ key;
        let next = (0..4).fold(x[0], |sum, bs| sm4ed(sum, input, bs));
        x = [x[1], x[2], x[3], next];
    }
    let [a, b, c, d] = x.map(u32::swap_bytes);
    bytes([d, c, b, a])
}

/// All 32 round keys by `sm4ks`, on byte-swapped words as the instruction expects them.
fn keys_scalar(key: [u8; 16]) -> Vec<u32> {
    let mut k: [u32; 4] = std::array::from_fn(|i| (words(key)[i] ^ FK[i]).swap_bytes());
    (0..32u8)
        .map(|round| {
            // CK: byte j of constant i is (4·i + j)·7, the first byte lowest here.
            let ck: [u8; 4] = std::array::from_fn(|j| ((4 * round + j as u8) as u32 * 7) as u8);
            let input = k[1] ^ k[2] ^ k[3] ^ u32::from_le_bytes(ck);
            let next = (0..4).fold(k[0], |sum, bs| sm4ks(sum, input, bs));
            k = [k[1], k[2], k[3], next];
            next
        })
        .collect()
}

#[test]
fn whole_sm4_is_that_of_rustcrypto() {
    let mut rng = Rng::new("whole_sm4_is_that_of_rustcrypto");
    for _ in 0..200 {
        let (key, plain): ([u8; 16], [u8; 16]) = (rng.bytes(), rng.bytes());
        let oracle = Sm4::new(&key.into());
        let mut block = plain.into();
        oracle.encrypt_block(&mut block);
        let cipher: [u8; 16] = block.into();

        let keys = keys_vector(key);
        assert_eq!(crypt_vector(&keys, plain), cipher);
        let reversed: Vec<[u32; 4]> = keys.iter().rev().map(|&[a, b, c, d]| [d, c, b, a]).collect();
        assert_eq!(crypt_vector(&reversed, cipher), plain);

        let mut keys = keys_scalar(key);
        assert_eq!(crypt_scalar(&keys, plain), cipher);
        keys.reverse();
        assert_eq!(crypt_scalar(&keys, cipher), plain);
        oracle.decrypt_block(&mut block);
        assert_eq!(plain, <[u8; 16]>::from(block));
    }
}

#[test]
fn round_group_uses_three_bits() {
    let current = [1, 2, 3, 4];
    for uimm in 0..32 {
        assert_eq!(key_expand(current, uimm), key_expand(current, uimm % 8));
    }
}

/// The formulas of the manual for `sm4ed` and `sm4ks`, bit masks and all.
#[test]
fn scalar_steps_are_the_manuals_formulas() {
    let mut rng = Rng::new("scalar_steps_are_the_manuals_formulas");
    for _ in 0..1000 {
        let (rs1, rs2) = (rng.next() as u32, rng.next() as u32);
        for bs in 0..4 {
            let x = u32::from(SBOX[(rs2 >> (8 * bs) & 0xff) as usize]);
            let ed = x ^ x << 8 ^ x << 2 ^ x << 18 ^ (x & 0x3f) << 26 ^ (x & 0xc0) << 10;
            assert_eq!(sm4ed(rs1, rs2, bs), rs1 ^ ed.rotate_left(8 * bs));
            let ks = x ^ (x & 7) << 29 ^ (x & 0xfe) << 7 ^ (x & 1) << 23 ^ (x & 0xf8) << 13;
            assert_eq!(sm4ks(rs1, rs2, bs), rs1 ^ ks.rotate_left(8 * bs));
        }
    }
}

/// The algebraic form of the S-box (Liu et al., "Analysis of the SMS4 Block Cipher", 2007):
/// S(x) = A·I(A·x + C) + C over GF(2^8) modulo x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1, where A is
/// circulant with the first row 11100101 and C = 11001011, bit 0 written first.
#[test]
fn sbox_is_its_algebraic_definition() {
    let multiply = |a: u32, b: u32| {
        let wide = (0..8).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ a << i);
        (8..15).rev().fold(wide, |x, i| if x >> i & 1 == 1 { x ^ 0x1f5 << (i - 8) } else { x })
    };
    let inverse = |a: u32| (1..256).find(|&b| multiply(a, b) == 1).unwrap_or(0);
    let affine = |x: u32| {
        let row = |i: u32| (x as u8 & 0b1010_0111u8.rotate_left(i)).count_ones() & 1;
        (0..8).fold(0b1101_0011, |y, i| y ^ row(i) << i)
    };
    for x in 0..256 {
        assert_eq!(u32::from(SBOX[x as usize]), affine(inverse(affine(x))), "x={x:#x}");
    }
}
