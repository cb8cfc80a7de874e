//! GHASH (NIST SP 800-38D section 6): Zvkg.
//!
//! A block is the element group as a little-endian integer. SP 800-38D numbers coefficients from
//! the most significant bit of the first byte, so the bits of each byte are reversed; then bit i
//! of the integer is the coefficient of x^i.

use super::bits::brev8;
use super::clmul;

/// The 256-bit product of two polynomials as its lower and upper half.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    let ([a0, a1], [b0, b1]) = ([a as u64, (a >> 64) as u64], [b as u64, (b >> 64) as u64]);
    let middle = clmul::product(a0, b1) ^ clmul::product(a1, b0);
    (clmul::product(a0, b0) ^ middle << 64, clmul::product(a1, b1) ^ middle >> 64)
}

/// Product in GF(2^128) modulo x^128 + x^7 + x^2 + x + 1, coefficients in natural order.
fn product(a: u128, b: u128) -> u128 {
    let (low, high) = wide_product(a, b);
    // x^128 = x^7 + x^2 + x + 1; the terms that leave the upper half again have degree below 7.
    let times_low_terms = |p: u128| p ^ p << 1 ^ p << 2 ^ p << 7;
    let carried = high >> 127 ^ high >> 126 ^ high >> 121;
    low ^ times_low_terms(high) ^ times_low_terms(carried)
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
