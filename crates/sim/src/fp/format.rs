//! The three formats, their fields and predicates, classification and NaN-boxing.

use std::fmt::Debug;

use super::env::Rm;

/// SoftFloat's operations on a format. They read and write the thread's rounding mode and
/// flags, hence belong inside `Env::run`.
pub trait Soft: Sized {
    /// `self` + `other`.
    fn soft_add(self, other: Self) -> Self;
    /// `self` − `other`.
    fn soft_sub(self, other: Self) -> Self;
    /// `self` × `other`.
    fn soft_mul(self, other: Self) -> Self;
    /// `self` ÷ `other`.
    fn soft_div(self, other: Self) -> Self;
    /// `self` × `factor` + `addend`, rounded once.
    fn soft_mul_add(self, factor: Self, addend: Self) -> Self;
    /// Square root.
    fn soft_sqrt(self) -> Self;
    /// Equality; only a signalling NaN is invalid.
    fn soft_eq(self, other: Self) -> bool;
    /// Less than or equal; any NaN is invalid.
    fn soft_le(self, other: Self) -> bool;
    /// Less than; any NaN is invalid.
    fn soft_lt(self, other: Self) -> bool;
    /// Less than or equal; only a signalling NaN is invalid.
    fn soft_le_quiet(self, other: Self) -> bool;
    /// Less than; only a signalling NaN is invalid.
    fn soft_lt_quiet(self, other: Self) -> bool;
    /// The integer nearest by `rm`, in this format; `exact` raises inexact where it differs.
    fn soft_round(self, rm: Rm, exact: bool) -> Self;
    /// To a signed integer, saturating.
    fn soft_to_i64(self, rm: Rm) -> i64;
    /// To an unsigned integer, saturating.
    fn soft_to_u64(self, rm: Rm) -> u64;
    /// From a signed integer.
    fn soft_from_i64(value: i64) -> Self;
    /// From an unsigned integer.
    fn soft_from_u64(value: u64) -> Self;
    /// From another format; the same format passes unchanged.
    fn soft_from<A: Soft>(value: A) -> Self;
    /// To half precision.
    fn soft_to_f16(self) -> F16;
    /// To single precision.
    fn soft_to_f32(self) -> F32;
    /// To double precision.
    fn soft_to_f64(self) -> F64;
}

/// A binary interchange format. Values are bit patterns; `Eq` compares patterns, not numbers.
pub trait Float: Copy + Eq + Debug + Soft + 'static {
    /// Width in bits.
    const WIDTH: u32;
    /// Stored bits of the significand.
    const FRAC: u32;

    /// Bits of the exponent field.
    const EXP: u32 = Self::WIDTH - 1 - Self::FRAC;
    /// Exponent bias, also the largest exponent of a finite number.
    const BIAS: i32 = (1 << (Self::EXP - 1)) - 1;
    /// All bits of the format.
    const MASK: u64 = u64::MAX >> (64 - Self::WIDTH);
    /// The sign bit.
    const SIGN_MASK: u64 = 1 << (Self::WIDTH - 1);
    /// The significand field.
    const FRAC_MASK: u64 = (1 << Self::FRAC) - 1;
    /// The exponent field; as a value, +∞.
    const EXP_MASK: u64 = Self::MASK & !Self::SIGN_MASK & !Self::FRAC_MASK;
    /// The top bit of the significand field, set in a quiet NaN.
    const QUIET_BIT: u64 = 1 << (Self::FRAC - 1);

    /// The value whose pattern is in the low bits; higher bits are ignored.
    fn from_bits(bits: u64) -> Self;

    /// The pattern, zero-extended.
    fn bits(self) -> u64;

    /// The canonical NaN: positive, quiet, no payload.
    #[must_use]
    fn nan() -> Self {
        Self::from_bits(Self::EXP_MASK | Self::QUIET_BIT)
    }

    /// Infinity of a sign.
    #[must_use]
    fn infinity(negative: bool) -> Self {
        Self::from_bits(Self::EXP_MASK).with_sign(negative)
    }

    /// Zero of a sign.
    #[must_use]
    fn zero(negative: bool) -> Self {
        Self::from_bits(0).with_sign(negative)
    }

    /// The finite number of largest magnitude of a sign.
    #[must_use]
    fn largest(negative: bool) -> Self {
        Self::from_bits(Self::EXP_MASK - 1).with_sign(negative)
    }

    /// The same with this sign bit.
    #[must_use]
    fn with_sign(self, negative: bool) -> Self {
        let sign = if negative { Self::SIGN_MASK } else { 0 };
        Self::from_bits(self.bits() & !Self::SIGN_MASK | sign)
    }

    /// The same with the other sign bit, NaN or not.
    #[must_use]
    fn negate(self) -> Self {
        Self::from_bits(self.bits() ^ Self::SIGN_MASK)
    }

    /// Whether the sign bit is set.
    fn is_negative(self) -> bool {
        self.bits() & Self::SIGN_MASK != 0
    }

    /// The biased exponent field.
    fn exponent(self) -> i32 {
        ((self.bits() & Self::EXP_MASK) >> Self::FRAC) as i32
    }

    /// The significand field.
    fn fraction(self) -> u64 {
        self.bits() & Self::FRAC_MASK
    }

    /// Whether this is a NaN of either kind.
    fn is_nan(self) -> bool {
        self.bits() & !Self::SIGN_MASK > Self::EXP_MASK
    }

    /// Whether this is a signalling NaN.
    fn is_snan(self) -> bool {
        self.is_nan() && self.bits() & Self::QUIET_BIT == 0
    }

    /// Whether this is an infinity.
    fn is_infinite(self) -> bool {
        self.bits() & !Self::SIGN_MASK == Self::EXP_MASK
    }

    /// Whether this is a zero.
    fn is_zero(self) -> bool {
        self.bits() & !Self::SIGN_MASK == 0
    }

    /// The one-hot mask of `fclass`: bit 0 −∞, 1 negative normal, 2 negative subnormal, 3 −0,
    /// 4 +0, 5 positive subnormal, 6 positive normal, 7 +∞, 8 signalling NaN, 9 quiet NaN.
    fn classify(self) -> u64 {
        if self.is_nan() {
            return if self.is_snan() { 1 << 8 } else { 1 << 9 };
        }
        let magnitude = if self.is_infinite() {
            3
        } else if self.exponent() != 0 {
            2
        } else {
            u32::from(!self.is_zero())
        };
        if self.is_negative() { 8 >> magnitude } else { 16 << magnitude }
    }

    /// The 64-bit register content for this value, all higher bits set ("D", "NaN boxing of
    /// narrower values").
    fn nan_box(self) -> u64 {
        self.bits() | !Self::MASK
    }

    /// The value in a 64-bit register as an operation sees it: the canonical NaN unless it is
    /// properly boxed.
    fn unbox(register: u64) -> Self {
        if register | Self::MASK == u64::MAX { Self::from_bits(register) } else { Self::nan() }
    }
}

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident($int:ty), $width:literal, $frac:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub $int);

        impl Float for $name {
            const WIDTH: u32 = $width;
            const FRAC: u32 = $frac;

            fn from_bits(bits: u64) -> Self {
                Self(bits as $int)
            }

            fn bits(self) -> u64 {
                self.0.into()
            }
        }
    )*};
}

formats! {
    /// binary16, half precision.
    F16(u16), 16, 10;
    /// binary32, single precision.
    F32(u32), 32, 23;
    /// binary64, double precision.
    F64(u64), 64, 52;
}
