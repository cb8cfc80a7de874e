//! The 7-bit estimates of "V": `vfrec7` and `vfrsqrt7`.
//!
//! Both tables give seven bits `t` of an estimate (128 + t) / 256 for an interval of the
//! significand, the estimate with the least maximal relative error over the interval; the tests
//! recompute them from this. The manual prints them in the sections of the two instructions.

use super::env::{Env, Flags, Rm};
use super::format::Float;

/// Bits of significand that an estimate has.
const P: u32 = 7;

/// Reciprocal of 1 + i/128.
const REC7: [u8; 128] = [
    127, 125, 123, 121, 119, 117, 116, 114, 112, 110, 109, 107, 105, 104, 102, 100, //
    99, 97, 96, 94, 93, 91, 90, 88, 87, 85, 84, 83, 81, 80, 79, 77, //
    76, 75, 74, 72, 71, 70, 69, 68, 66, 65, 64, 63, 62, 61, 60, 59, //
    58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, //
    42, 41, 40, 40, 39, 38, 37, 36, 35, 35, 34, 33, 32, 31, 31, 30, //
    29, 28, 28, 27, 26, 25, 25, 24, 23, 23, 22, 21, 21, 20, 19, 19, //
    18, 17, 17, 16, 15, 15, 14, 14, 13, 12, 12, 11, 11, 10, 9, 9, //
    8, 8, 7, 7, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0,
];

/// Reciprocal square root of 2·(1 + i/64), then of 1 + i/64.
const RSQRT7: [u8; 128] = [
    52, 51, 50, 48, 47, 46, 44, 43, 42, 41, 40, 39, 38, 36, 35, 34, //
    33, 32, 31, 30, 30, 29, 28, 27, 26, 25, 24, 23, 23, 22, 21, 20, //
    19, 19, 18, 17, 16, 16, 15, 14, 14, 13, 12, 12, 11, 10, 10, 9, //
    9, 8, 7, 7, 6, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, //
    127, 125, 123, 121, 119, 118, 116, 114, 113, 111, 109, 108, 106, 105, 103, 102, //
    100, 99, 97, 96, 95, 93, 92, 91, 90, 88, 87, 86, 85, 84, 83, 82, //
    80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 70, 69, 68, 67, 66, //
    65, 64, 63, 63, 62, 61, 60, 59, 59, 58, 57, 56, 56, 55, 54, 53,
];

/// Biased exponent and fraction field of a finite nonzero number, a subnormal one normalised:
/// its exponent is then zero or negative.
fn normalised<F: Float>(a: F) -> (i32, u64) {
    if a.exponent() != 0 {
        return (a.exponent(), a.fraction());
    }
    let zeros = a.fraction().leading_zeros() - (64 - F::FRAC);
    (-(zeros as i32), a.fraction() << (zeros + 1) & F::FRAC_MASK)
}

/// The canonical NaN for a NaN operand; a signalling one is invalid.
fn quiet<F: Float>(env: &mut Env, a: F) -> F {
    if a.is_snan() {
        env.raise(Flags::NV);
    }
    F::nan()
}

/// `vfrec7`: 1/`a` to 7 bits. Never inexact, save for subnormals whose reciprocal overflows;
/// those saturate by the rounding mode.
pub fn rec7<F: Float>(env: &mut Env, a: F) -> F {
    let negative = a.is_negative();
    if a.is_nan() {
        return quiet(env, a);
    }
    if a.is_infinite() {
        return F::zero(negative);
    }
    if a.is_zero() {
        env.raise(Flags::DZ);
        return F::infinity(negative);
    }
    let (exponent, fraction) = normalised(a);
    if exponent < -1 {
        env.raise(Flags::OF | Flags::NX);
        let finite = match env.rm {
            Rm::Rtz => true,
            Rm::Rdn => !negative,
            Rm::Rup => negative,
            Rm::Rne | Rm::Rmm | Rm::Rod => false,
        };
        return if finite { F::largest(negative) } else { F::infinity(negative) };
    }
    let estimate = u64::from(REC7[(fraction >> (F::FRAC - P)) as usize]) << (F::FRAC - P);
    let exponent = 2 * F::BIAS - 1 - exponent;
    // Exponents 0 and −1 lie below the normal range: shift the leading one into the field.
    let magnitude = if exponent > 0 {
        (exponent as u64) << F::FRAC | estimate
    } else {
        (estimate | 1 << F::FRAC) >> (1 - exponent)
    };
    F::from_bits(magnitude).with_sign(negative)
}

/// `vfrsqrt7`: 1/√`a` to 7 bits.
pub fn rsqrt7<F: Float>(env: &mut Env, a: F) -> F {
    if a.is_nan() {
        return quiet(env, a);
    }
    if a.is_zero() {
        env.raise(Flags::DZ);
        return F::infinity(a.is_negative());
    }
    if a.is_negative() {
        env.raise(Flags::NV);
        return F::nan();
    }
    if a.is_infinite() {
        return F::zero(false);
    }
    let (exponent, fraction) = normalised(a);
    let index = ((exponent & 1) as u64) << (P - 1) | fraction >> (F::FRAC - (P - 1));
    let estimate = u64::from(RSQRT7[index as usize]) << (F::FRAC - P);
    let exponent = (3 * F::BIAS - 1 - exponent) / 2;
    F::from_bits((exponent as u64) << F::FRAC | estimate)
}
