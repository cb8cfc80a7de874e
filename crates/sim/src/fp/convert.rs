//! Conversions between formats and integers, rounding to integral values.

use super::env::{Env, Flags, Rm};
use super::format::{F64, Float};

/// An integer type of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// Width: 8, 16, 32 or 64 bits.
    pub bits: u32,
    /// Two's complement if set.
    pub signed: bool,
}

impl Int {
    /// The word of `fcvt.w`.
    pub const I32: Self = Self::signed(32);
    /// The word of `fcvt.wu`.
    pub const U32: Self = Self::unsigned(32);
    /// The double word of `fcvt.l`.
    pub const I64: Self = Self::signed(64);
    /// The double word of `fcvt.lu`.
    pub const U64: Self = Self::unsigned(64);

    /// Two's complement of this width.
    #[must_use]
    pub const fn signed(bits: u32) -> Self {
        Self { bits, signed: true }
    }

    /// Unsigned of this width.
    #[must_use]
    pub const fn unsigned(bits: u32) -> Self {
        Self { bits, signed: false }
    }

    /// `value`'s low bits as this type, extended to 64 bits by its signedness.
    #[must_use]
    pub fn extend(self, value: u64) -> u64 {
        let unused = 64 - self.bits;
        if self.signed {
            ((value << unused) as i64 >> unused) as u64
        } else {
            value << unused >> unused
        }
    }

    /// Smallest and largest value; for widths below 64.
    fn range(self) -> (i64, i64) {
        if self.signed {
            (-1 << (self.bits - 1), (1 << (self.bits - 1)) - 1)
        } else {
            (0, (1 << self.bits) - 1)
        }
    }
}

/// `a` rounded to `int`, extended to 64 bits by its signedness. A value out of range saturates,
/// and a NaN gives the largest value; both raise invalid and nothing else.
pub fn to_int<F: Float>(env: &mut Env, a: F, int: Int) -> u64 {
    let rm = env.rm;
    if int.bits == 64 {
        return if int.signed {
            env.run(|| a.soft_to_i64(rm)) as u64
        } else {
            env.run(|| a.soft_to_u64(rm))
        };
    }
    let mut wide = Env::new(rm);
    let value = wide.run(|| a.soft_to_i64(rm));
    let (low, high) = int.range();
    let clamped = value.clamp(low, high);
    env.raise(if clamped == value { wide.flags } else { Flags::NV });
    clamped as u64
}

/// The integer in `value`'s low bits, rounded to a format.
pub fn from_int<F: Float>(env: &mut Env, value: u64, int: Int) -> F {
    let value = int.extend(value);
    if int.signed {
        env.run(|| F::soft_from_i64(value as i64))
    } else {
        env.run(|| F::soft_from_u64(value))
    }
}

/// `a` rounded to another format. Between equal formats nothing happens, not even to a NaN.
pub fn convert<A: Float, B: Float>(env: &mut Env, a: A) -> B {
    env.run(|| B::soft_from(a))
}

/// `a` rounded to an integral value in its own format. With `exact`, raises inexact if that
/// changes the value (Zfa `froundnx`); without it, never raises inexact (`fround`).
pub fn round_to_integral<F: Float>(env: &mut Env, a: F, exact: bool) -> F {
    let rm = env.rm;
    env.run(|| a.soft_round(rm, exact))
}

/// Zfa `fcvtmod.w.d`: truncated, then modulo 2³² as a signed word; NaN and infinity give 0.
/// Flags are those of `fcvt.w.d` with the same operand and truncation.
pub fn cvtmod_w_d(env: &mut Env, a: F64) -> i32 {
    let mut truncating = Env::new(Rm::Rtz);
    to_int(&mut truncating, a, Int::I32);
    env.raise(truncating.flags);
    // The significand's last place weighs 2^shift. From 2^32 on nothing is left modulo 2^32,
    // and from -53 down nothing of the 53 bits, which covers zeros and subnormals.
    let shift = a.exponent() - F64::BIAS - F64::FRAC as i32;
    let significand = a.fraction() | 1 << F64::FRAC;
    let magnitude = match shift {
        0..32 => significand << shift,
        -53..0 => significand >> -shift,
        _ => 0,
    } as u32;
    let word = if a.is_negative() { magnitude.wrapping_neg() } else { magnitude };
    word as i32
}
