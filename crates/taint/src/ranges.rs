//! Rules on the range of numbers that a value with taint may be.

use crate::value::{Value, ones};
use capvec_isa::row::Taint;

/// The bits in which numbers from `low` to `high` can differ: the highest in which the two differ, and all below it.
pub fn varying(low: u64, high: u64) -> u64 {
    ones(64 - (low ^ high).leading_zeros())
}

/// The smaller of two numbers. The larger is the complement of the smaller complement.
pub fn lesser(a: Value, b: Value, sign: u64) -> u64 {
    let ((a_min, a_max), (b_min, b_max)) = (a.range(sign), b.range(sign));
    match () {
        () if a_max <= b_min => a.taint,
        () if b_max <= a_min => b.taint,
        () => a.taint | b.taint | (a.bits ^ b.bits),
    }
}

/// The bits of the lower half of a product that may vary, if no product overflows; else all.
pub fn low_product(a: Value, b: Value, width: u32) -> u64 {
    let ((a_min, a_max), (b_min, b_max)) = (a.range(0), b.range(0));
    match a_max.checked_mul(b_max) {
        Some(high) if high <= ones(width) => varying(a_min.wrapping_mul(b_min), high),
        _ => ones(width),
    }
}

/// The upper half of a product of numbers, of which each is signed or not.
pub fn high_product(values: [Value; 2], signed: [bool; 2], width: u32) -> u64 {
    let ends = |k: usize| {
        let sign = if signed[k] { 1 << (width - 1) } else { 0 };
        let (low, high) = values[k].range(sign);
        // The order of signed numbers was mapped to that of unsigned ones.
        [low, high].map(|end| i128::from(end) - i128::from(sign))
    };
    let (a, b) = (ends(0), ends(1));
    let corner = |k: usize| high_half(a[k & 1], b[k >> 1], width);
    let low = (0..4).map(corner).min().unwrap_or(0);
    let high = (0..4).map(corner).max().unwrap_or(0);
    // Numbers on both sides of zero can differ in every bit.
    if (low < 0) != (high < 0) {
        ones(width)
    } else {
        varying(low as u64, high as u64) & ones(width)
    }
}

/// The product without its lowest `width` bits. Only a product of unsigned 64-bit numbers needs all 128 bits.
fn high_half(a: i128, b: i128, width: u32) -> i128 {
    match a >= 0 && b >= 0 {
        true => ((a as u128 * b as u128) >> width) as i128,
        false => (a * b) >> width,
    }
}

/// Leading zeros, trailing zeros, or ones.
pub fn count(rule: Taint, a: Value, width: u32) -> u64 {
    let (fewest, most) = (a.known(), a.bits | a.taint);
    let leading = |x: u64| u64::from(x.leading_zeros() - (64 - width));
    let trailing = |x: u64| u64::from(x.trailing_zeros().min(width));
    let ones = |x: u64| u64::from(x.count_ones());
    match rule {
        Taint::Clz => varying(leading(most), leading(fewest)),
        Taint::Ctz => varying(trailing(most), trailing(fewest)),
        _ => varying(ones(fewest), ones(most)),
    }
}

/// Whether the carry out of a sum with a carry in depends on tainted bits.
pub fn carry_varies(a: Value, b: Value, carry: Value, width: u32) -> bool {
    let sum = |pick: fn((u64, u64)) -> u64| {
        [a, b, carry].iter().map(|v| u128::from(pick(v.range(0)))).sum::<u128>() >> width
    };
    sum(|r| r.0) != sum(|r| r.1)
}

/// Whether the borrow out of a − b − borrow depends on tainted bits.
pub fn borrow_varies(a: Value, b: Value, borrow: Value) -> bool {
    let ((a_min, a_max), (b_min, b_max)) = (a.range(0), b.range(0));
    let (least, most) = borrow.range(0);
    let borrows = |a: u64, b: u64, c: u64| u128::from(a) < u128::from(b) + u128::from(c);
    borrows(a_max, b_min, least) != borrows(a_min, b_max, most)
}
