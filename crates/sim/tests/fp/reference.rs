//! A reference in exact integers: numbers of any size are kept exactly and rounded once at the end, as IEEE 754
//! defines the operations. Slow, and independent of SoftFloat.

use capvec_sim::fp::{Flags, Float, Rm};
use num_bigint::BigUint;

/// Extra bits that make a quotient or root wider than any format here.
const EXTRA: i64 = 64;

/// A number (−1)^negative × significand × 2^exponent, plus less than one unit of the last place
/// of the significand if `sticky`.
#[derive(Clone, Debug)]
pub struct Exact {
    pub negative: bool,
    pub significand: BigUint,
    pub exponent: i64,
    pub sticky: bool,
}

/// An operand by kind.
pub enum Value {
    Nan,
    Infinity(bool),
    Number(Exact),
}

/// A result: pattern and flags.
pub type Outcome = (u64, Flags);

pub fn value<F: Float>(a: F) -> Value {
    let fraction = a.bits() & ((1 << F::FRAC) - 1);
    let field = (a.bits() >> F::FRAC) & ((1 << F::EXP) - 1);
    let negative = a.bits() >> (F::WIDTH - 1) == 1;
    if field == (1 << F::EXP) - 1 {
        return if fraction == 0 { Value::Infinity(negative) } else { Value::Nan };
    }
    let hidden = if field == 0 { 0 } else { 1 << F::FRAC };
    Value::Number(Exact {
        negative,
        significand: BigUint::from(fraction | hidden),
        exponent: field.max(1) as i64 - F::BIAS as i64 - F::FRAC as i64,
        sticky: false,
    })
}

impl Exact {
    pub fn from_int(value: i128) -> Self {
        Self {
            negative: value < 0,
            significand: BigUint::from(value.unsigned_abs()),
            exponent: 0,
            sticky: false,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.significand == BigUint::ZERO
    }

    pub fn mul(&self, other: &Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            significand: &self.significand * &other.significand,
            exponent: self.exponent + other.exponent,
            sticky: false,
        }
    }

    /// The sum; an exact zero gets the sign that `rm` requires.
    pub fn add(&self, other: &Self, rm: Rm) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let a = &self.significand << (self.exponent - exponent);
        let b = &other.significand << (other.exponent - exponent);
        let (negative, significand) = if self.negative == other.negative {
            (self.negative, a + b)
        } else if a == b {
            (rm == Rm::Rdn, BigUint::ZERO)
        } else if a > b {
            (self.negative, a - b)
        } else {
            (other.negative, b - a)
        };
        Self { negative, significand, exponent, sticky: false }
    }

    pub fn div(&self, other: &Self) -> Self {
        let shift = other.significand.bits() as i64 + EXTRA;
        let dividend = &self.significand << shift;
        let significand = &dividend / &other.significand;
        Self {
            negative: self.negative != other.negative,
            sticky: &significand * &other.significand != dividend,
            significand,
            exponent: self.exponent - other.exponent - shift,
        }
    }

    pub fn sqrt(&self) -> Self {
        let shift = 2 * EXTRA + self.exponent.rem_euclid(2);
        let square = &self.significand << shift;
        let significand = square.sqrt();
        Self {
            negative: self.negative,
            sticky: &significand * &significand != square,
            significand,
            exponent: (self.exponent - shift) / 2,
        }
    }

    /// The magnitude in units of 2^`place`, rounded by `rm`, and whether that was inexact.
    pub fn to_units(&self, place: i64, rm: Rm) -> (BigUint, bool) {
        // Two more bits hold the sticky part and make halves exact.
        let mut magnitude = &self.significand << 2;
        magnitude += u32::from(self.sticky);
        let shift = place - (self.exponent - 2);
        if shift <= 0 {
            assert!(!self.sticky, "a sticky number is rounded above its last place");
            return (magnitude << -shift, false);
        }
        let units: BigUint = &magnitude >> shift;
        let rest = magnitude - (&units << shift);
        let half = BigUint::from(1u32) << (shift - 1);
        let inexact = rest != BigUint::ZERO;
        let up = inexact
            && match rm {
                Rm::Rne => rest > half || rest == half && units.bit(0),
                Rm::Rmm => rest >= half,
                Rm::Rtz => false,
                Rm::Rdn => self.negative,
                Rm::Rup => !self.negative,
                Rm::Rod => !units.bit(0),
            };
        (units + u32::from(up), inexact)
    }

    /// Rounds to a format: IEEE 754, clauses 4.3 and 7.4 to 7.6, tininess after rounding.
    pub fn round<F: Float>(&self, rm: Rm) -> Outcome {
        let sign = u64::from(self.negative) << (F::WIDTH - 1);
        if self.is_zero() {
            assert!(!self.sticky);
            return (sign, Flags::NONE);
        }
        let frac = i64::from(F::FRAC);
        let (least, greatest) = (1 - i64::from(F::BIAS), i64::from(F::BIAS));
        let scale = self.significand.bits() as i64 - 1 + self.exponent;
        // With an unbounded exponent: overflow and tininess are decided on this.
        let (unbounded, _) = self.to_units(scale - frac, rm);
        let unbounded_scale = scale + i64::from(unbounded.bits() as i64 > frac + 1);
        if unbounded_scale > greatest {
            let infinite = match rm {
                Rm::Rne | Rm::Rmm => true,
                Rm::Rtz | Rm::Rod => false,
                Rm::Rdn => self.negative,
                Rm::Rup => !self.negative,
            };
            return (sign | (F::EXP_MASK - u64::from(!infinite)), Flags::OF | Flags::NX);
        }
        let place = scale.max(least) - frac;
        let (units, inexact) = self.to_units(place, rm);
        // A carry out of the fraction field increments the exponent field.
        let units = u64::try_from(&units).unwrap();
        let binade = (place + frac - least) as u64;
        let mut flags = if inexact { Flags::NX } else { Flags::NONE };
        if inexact && unbounded_scale < least {
            flags |= Flags::UF;
        }
        (sign | (units + (binade << F::FRAC)), flags)
    }
}

pub fn nan<F: Float>(flags: Flags) -> Outcome {
    (F::EXP_MASK | 1 << (F::FRAC - 1), flags)
}

/// The NaN result of an operation on a NaN, with its flags.
pub fn propagate<F: Float>(operands: &[F]) -> Outcome {
    let quiet = 1 << (F::FRAC - 1);
    let signalling =
        operands.iter().any(|a| matches!(value(*a), Value::Nan) && a.bits() & quiet == 0);
    nan::<F>(if signalling { Flags::NV } else { Flags::NONE })
}

pub fn infinity<F: Float>(negative: bool) -> Outcome {
    (u64::from(negative) << (F::WIDTH - 1) | F::EXP_MASK, Flags::NONE)
}

pub fn add<F: Float>(a: F, b: F, rm: Rm) -> Outcome {
    match (value(a), value(b)) {
        (Value::Nan, _) | (_, Value::Nan) => propagate(&[a, b]),
        (Value::Infinity(x), Value::Infinity(y)) if x != y => nan::<F>(Flags::NV),
        (Value::Infinity(x), _) | (_, Value::Infinity(x)) => infinity::<F>(x),
        (Value::Number(x), Value::Number(y)) => x.add(&y, rm).round::<F>(rm),
    }
}

pub fn mul<F: Float>(a: F, b: F, rm: Rm) -> Outcome {
    match (value(a), value(b)) {
        (Value::Nan, _) | (_, Value::Nan) => propagate(&[a, b]),
        (Value::Infinity(x), Value::Infinity(y)) => infinity::<F>(x != y),
        (Value::Infinity(x), Value::Number(y)) | (Value::Number(y), Value::Infinity(x)) => {
            if y.is_zero() { nan::<F>(Flags::NV) } else { infinity::<F>(x != y.negative) }
        }
        (Value::Number(x), Value::Number(y)) => x.mul(&y).round::<F>(rm),
    }
}

pub fn div<F: Float>(a: F, b: F, rm: Rm) -> Outcome {
    match (value(a), value(b)) {
        (Value::Nan, _) | (_, Value::Nan) => propagate(&[a, b]),
        (Value::Infinity(_), Value::Infinity(_)) => nan::<F>(Flags::NV),
        (Value::Infinity(x), Value::Number(y)) => infinity::<F>(x != y.negative),
        (Value::Number(x), Value::Infinity(y)) => {
            (u64::from(x.negative != y) << (F::WIDTH - 1), Flags::NONE)
        }
        (Value::Number(x), Value::Number(y)) if y.is_zero() => {
            if x.is_zero() {
                nan::<F>(Flags::NV)
            } else {
                (infinity::<F>(x.negative != y.negative).0, Flags::DZ)
            }
        }
        (Value::Number(x), Value::Number(y)) => x.div(&y).round::<F>(rm),
    }
}

pub fn sqrt<F: Float>(a: F, rm: Rm) -> Outcome {
    match value(a) {
        Value::Nan => propagate(&[a]),
        Value::Infinity(false) => infinity::<F>(false),
        Value::Number(x) if x.is_zero() => (a.bits(), Flags::NONE),
        Value::Number(x) if !x.negative => x.sqrt().round::<F>(rm),
        _ => nan::<F>(Flags::NV),
    }
}

/// a × b + c.
pub fn mul_add<F: Float>(a: F, b: F, c: F, rm: Rm) -> Outcome {
    let product = mul(a, b, rm);
    let made_nan = product.0 == nan::<F>(Flags::NONE).0 && product.1 == Flags::NV;
    match (value(a), value(b), value(c)) {
        // An invalid product is invalid even with a quiet NaN addend.
        _ if made_nan => product,
        (Value::Nan, ..) | (_, Value::Nan, _) | (.., Value::Nan) => propagate(&[a, b, c]),
        (Value::Number(x), Value::Number(y), Value::Number(z)) => {
            x.mul(&y).add(&z, rm).round::<F>(rm)
        }
        (Value::Number(_), Value::Number(_), Value::Infinity(z)) => infinity::<F>(z),
        // The product is an exact infinity.
        _ => add(F::from_bits(product.0), c, rm),
    }
}
