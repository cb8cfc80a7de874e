//! Floating-point values at which the rules for rounding, overflow, underflow, NaNs and conversions matter.

use capvec_sim::testing::Rng;

/// The upper half of a NaN-boxed value in single precision.
const BOX: u64 = 0xffff_ffff << 32;

/// Values in double precision.
pub fn doubles() -> Vec<u64> {
    let tiny = [0.0, f64::MIN_POSITIVE, 1e-160, 3.5e-308, 0.3];
    let integers =
        [1.0, 0.5, 1.5, 2.5, 3.0, 2147483647.5, 2147483648.0, 9.3e18, 9223372036854775808.0];
    let large = [1e160, f64::MAX, f64::INFINITY, 16777217.0, 3.5e38, 1e-40];
    let all = tiny.into_iter().chain(integers).chain(large).map(f64::to_bits);
    // The smallest and the largest subnormal, a NaN with a payload, and a signalling one.
    let others = [
        1,
        0x000f_ffff_ffff_ffff,
        0x7ff8_0000_0000_0000,
        0x7ff8_dead_beef_0001,
        0x7ff0_0000_0000_0001,
    ];
    both_signs(all.chain(others).collect(), 63)
}

/// Values in single precision, all but two of them NaN-boxed.
pub fn singles() -> Vec<u64> {
    let tiny = [0.0, f32::MIN_POSITIVE, 1e-22, 2.5e-38, 0.3];
    let integers =
        [1.0, 0.5, 1.5, 2.5, 3.0, 2147483520.0, 2147483648.0, 9.3e18, 9223372036854775808.0];
    let large = [1e22, f32::MAX, f32::INFINITY, 16777216.0];
    let all = tiny.into_iter().chain(integers).chain(large).map(|v: f32| u64::from(v.to_bits()));
    let others = [1, 0x007f_ffff, 0x7fc0_0000, 0x7fc1_2345, 0x7f80_0001];
    let mut all = both_signs(all.chain(others).collect(), 31);
    all.iter_mut().for_each(|v| *v |= BOX);
    all.extend([0x3f80_0000, 1.5_f64.to_bits()]);
    all
}

fn both_signs(values: Vec<u64>, sign: u32) -> Vec<u64> {
    let negative: Vec<u64> = values.iter().map(|v| v | 1 << sign).collect();
    [values, negative].concat()
}

/// A value for an f register: a special one, one near a special one, or any bits.
pub fn value(rng: &mut Rng) -> u64 {
    let special = if rng.one_in(2) { rng.pick(&doubles()) } else { rng.pick(&singles()) };
    match rng.below(4) {
        0 => special,
        1 => special ^ rng.below(8),
        2 => rng.next() | rng.below(2) * BOX,
        _ => rng.next(),
    }
}
