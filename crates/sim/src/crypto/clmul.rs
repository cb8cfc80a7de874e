//! Carry-less multiplication: Zbc, Zbkc and Zvbc.

/// The 127-bit product of two polynomials over GF(2), by windows of four bits.
pub fn product(a: u64, b: u64) -> u128 {
    let mut multiples = [0u128; 16];
    for window in 1..16usize {
        multiples[window] =
            multiples[window / 2] << 1 ^ if window % 2 == 1 { u128::from(a) } else { 0 };
    }
    (0..16).rev().fold(0, |sum, i| sum << 4 ^ multiples[(b >> (4 * i) & 15) as usize])
}

/// `clmul`, `vclmul`: the lower 64 bits of the product.
pub fn clmul(a: u64, b: u64) -> u64 {
    product(a, b) as u64
}

/// `clmulh`, `vclmulh`: the upper 64 bits of the product.
pub fn clmulh(a: u64, b: u64) -> u64 {
    (product(a, b) >> 64) as u64
}

/// `clmulr`: bits 126..=63 of the product.
pub fn clmulr(a: u64, b: u64) -> u64 {
    (product(a, b) >> 63) as u64
}

/// `clmulh` of RV32: the upper 32 bits of the 63-bit product.
pub fn clmulh32(a: u32, b: u32) -> u32 {
    (product(a.into(), b.into()) >> 32) as u32
}

/// `clmulr` of RV32: bits 62..=31 of the product.
pub fn clmulr32(a: u32, b: u32) -> u32 {
    (product(a.into(), b.into()) >> 31) as u32
}
