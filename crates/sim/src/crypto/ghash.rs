//! GHASH (NIST SP 800-38D section 6): Zvkg.
//!
//! A block is the element group as a little-endian integer. SP 800-38D numbers coefficients from
//! the most significant bit of the first byte, so the bits of each byte are reversed; then bit i
//! of the integer is the coefficient of x^i.

use super::bits::brev8;

/// The low terms of the field polynomial x^128 + x^7 + x^2 + x + 1.
const REDUCTION: u128 = 0x87;

/// x · `a` modulo the field polynomial, coefficients in natural order.
fn times_x(a: u128) -> u128 {
    a << 1 ^ if a >> 127 == 1 { REDUCTION } else { 0 }
}

/// Product in GF(2^128), coefficients in natural order, by windows of four bits.
fn product(a: u128, b: u128) -> u128 {
    let mut multiples = [0; 16];
    for window in 1..16usize {
        multiples[window] = times_x(multiples[window / 2]) ^ if window % 2 == 1 { a } else { 0 };
    }
    (0..32).rev().fold(0, |sum, i| {
        let shifted = (0..4).fold(sum, |x, _| times_x(x));
        shifted ^ multiples[(b >> (4 * i) & 15) as usize]
    })
}

/// `brev8` of a whole block.
fn reverse_bits_in_bytes(block: u128) -> u128 {
    u128::from(brev8((block >> 64) as u64)) << 64 | u128::from(brev8(block as u64))
}

/// `vgmul.vv`: Y · H.
pub fn multiply(y: u128, h: u128) -> u128 {
    reverse_bits_in_bytes(product(reverse_bits_in_bytes(h), reverse_bits_in_bytes(y)))
}

/// `vghsh.vv`: (Y ^ X) · H, the next partial hash.
pub fn add_multiply(y: u128, x: u128, h: u128) -> u128 {
    multiply(y ^ x, h)
}
