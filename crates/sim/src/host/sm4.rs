//! SM4 on x86-64: the rounds of four blocks in parallel, with the S-box computed by AES-NI. (GFNI would save some
//! instructions, but this project's minimum compiler lacks its functions.)
//!
//! SM4's S-box is an affine map, the inverse in GF(2^8) modulo x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1, and the same
//! affine map (Liu et al., "Analysis of the SMS4 Block Cipher", 2007). All fields of 256 elements are isomorphic, so
//! AES's SubBytes, which also inverts, computes SM4's S-box when it is put between two affine maps, `before` and `after`.

use super::x86_group::{bytes, v};
use super::{Groups, group};
use crate::crypto::{aes, gf256, sm4::SBOX};
use std::arch::x86_64::*;

/// The field polynomial of AES, FIPS 197 section 4.2.
const AES: u16 = 0x11b;
/// The polynomial of SM4's S-box without its leading bit: x^7 + x^6 + x^5 + x^4 + x^2 + 1.
const SM4: u8 = 0xf5;

/// The affine map of the S-box: a circulant matrix and a constant.
const fn affine(x: u8) -> u8 {
    let (mut y, mut row) = (0b1101_0011, 0);
    while row < 8 {
        y ^= ((x & 0b1010_0111u8.rotate_left(row)).count_ones() as u8 & 1) << row;
        row += 1;
    }
    y
}

/// The sum of powers of `root` that `x` selects, in AES's field.
const fn at(x: u8, root: u8) -> u8 {
    let (mut sum, mut power, mut bit) = (0, 1, 0);
    while bit < 8 {
        if x >> bit & 1 == 1 {
            sum ^= power;
        }
        power = gf256::mul(power, root, AES);
        bit += 1;
    }
    sum
}

/// A root of SM4's polynomial in AES's field: the isomorphism maps x to this element.
const ROOT: u8 = {
    let mut root = 2u8;
    loop {
        let eighth = {
            let square = gf256::mul(root, root, AES);
            let fourth = gf256::mul(square, square, AES);
            gf256::mul(fourth, fourth, AES)
        };
        if eighth == at(SM4, root) {
            break root;
        }
        root += 1;
    }
};

/// Maps the S-box's input to AES's field.
const fn before(x: u8) -> u8 {
    at(affine(x), ROOT)
}

/// The inverse of `before`.
const UNDO: [u8; 256] = {
    let (mut undo, mut x) = ([0; 256], 0);
    while x < 256 {
        undo[before(x as u8) as usize] = x as u8;
        x += 1;
    }
    undo
};

/// Completes the S-box after SubBytes.
const fn after(y: u8) -> u8 {
    SBOX[UNDO[aes::INV_SBOX[y as usize] as usize] as usize]
}

/// Tables of an affine map for a byte's low and high nibble.
macro_rules! nibbles {
    ($f:expr) => {{
        let (mut tables, mut n) = ([[0u8; 16]; 2], 0);
        while n < 16 {
            tables[0][n] = $f(n as u8);
            tables[1][n] = $f((n as u8) << 4) ^ $f(0);
            n += 1;
        }
        tables
    }};
}

/// Applies an affine map given by its tables.
#[target_feature(enable = "ssse3,sse4.1")]
fn mapped(x: __m128i, tables: [[u8; 16]; 2]) -> __m128i {
    let nibble = _mm_set1_epi8(15);
    let low = _mm_shuffle_epi8(v(tables[0]), _mm_and_si128(x, nibble));
    let high = _mm_and_si128(_mm_srli_epi16::<4>(x), nibble);
    _mm_xor_si128(low, _mm_shuffle_epi8(v(tables[1]), high))
}

#[target_feature(enable = "aes,ssse3,sse4.1")]
fn substitute(x: __m128i) -> __m128i {
    const BEFORE: [[u8; 16]; 2] = nibbles!(before);
    const AFTER: [[u8; 16]; 2] = nibbles!(after);
    // Cancels AESENCLAST's ShiftRows.
    let shifted = v([0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3]);
    let x = _mm_shuffle_epi8(mapped(x, BEFORE), shifted);
    mapped(_mm_aesenclast_si128(x, _mm_setzero_si128()), AFTER)
}

/// L: x XORed with x rotated left by 2, 10, 18 and 24.
#[target_feature(enable = "ssse3,sse4.1")]
fn linear(x: __m128i) -> __m128i {
    let by_8 = v([3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14]);
    let by_16 = v([2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13]);
    let by_24 = v([1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12]);
    let sum = _mm_xor_si128(x, _mm_shuffle_epi8(x, by_8));
    let sum = _mm_xor_si128(sum, _mm_shuffle_epi8(x, by_16));
    let by_2 = _mm_or_si128(_mm_slli_epi32::<2>(sum), _mm_srli_epi32::<30>(sum));
    _mm_xor_si128(_mm_xor_si128(x, _mm_shuffle_epi8(x, by_24)), by_2)
}

/// Transposes between words k of every block in register k and one block per register.
#[target_feature(enable = "ssse3,sse4.1")]
fn transposed([a, b, c, d]: [__m128i; 4]) -> [__m128i; 4] {
    let (low, high) = (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
    let (low2, high2) = (_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
    [
        _mm_unpacklo_epi64(low, low2),
        _mm_unpackhi_epi64(low, low2),
        _mm_unpacklo_epi64(high, high2),
        _mm_unpackhi_epi64(high, high2),
    ]
}

/// Four rounds of each block, four blocks at a time.
#[target_feature(enable = "aes,ssse3,sse4.1")]
pub(super) fn rounds(file: &mut [u8], groups: Groups) {
    for first in (0..groups.count).step_by(4) {
        let count = (groups.count - first).min(4);
        let block = |at: usize, step: usize, file: &[u8]| {
            let one = |k: usize| v(group(file, at + step * (first + k.min(count - 1))));
            transposed([one(0), one(1), one(2), one(3)])
        };
        let [mut x0, mut x1, mut x2, mut x3] = block(groups.vd, 16, file);
        for key in block(groups.vs2, groups.step, file) {
            let sum = _mm_xor_si128(_mm_xor_si128(x1, x2), _mm_xor_si128(x3, key));
            let new = _mm_xor_si128(x0, linear(substitute(sum)));
            (x0, x1, x2, x3) = (x1, x2, x3, new);
        }
        let blocks = transposed([x0, x1, x2, x3]);
        for (k, block) in blocks.into_iter().enumerate().take(count) {
            let at = groups.vd + 16 * (first + k);
            file[at..at + 16].copy_from_slice(&bytes(block));
        }
    }
}
