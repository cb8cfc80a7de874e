//! Comparison, minimum and maximum, classification, sign injection, boxing, constants.

use capvec_sim::fp::{self, Env, F16, F32, F64, Flags, Float, Rm, Sgnj};

use super::patterns::{Random, specials};
use super::reference::{Value, value};

/// Every pair of special values, and random pairs near each other.
fn pairs<F: Float>(test: impl Fn(F, F)) {
    let mut random = Random::new();
    for &a in &specials::<F>() {
        for &b in &specials::<F>() {
            test(a, b);
        }
    }
    for _ in 0..50_000 {
        let a = random.float();
        test(a, random.near(a));
    }
}

/// A value of any format as a double, exactly.
fn number<F: Float>(a: F) -> f64 {
    match value(a) {
        Value::Nan => f64::NAN,
        Value::Infinity(negative) => {
            if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        }
        Value::Number(n) => {
            let magnitude = u64::try_from(&n.significand).unwrap() as f64;
            // In two steps: 2^exponent alone may not be a double.
            let half = n.exponent / 2;
            let scaled = magnitude * 2f64.powi(half as i32) * 2f64.powi((n.exponent - half) as i32);
            if n.negative { -scaled } else { scaled }
        }
    }
}

fn signalling<F: Float>(a: F) -> bool {
    matches!(value(a), Value::Nan) && a.bits() >> (F::FRAC - 1) & 1 == 0
}

fn invalid(raised: bool) -> Flags {
    if raised { Flags::NV } else { Flags::NONE }
}

fn run<T>(operation: impl FnOnce(&mut Env) -> T) -> (T, Flags) {
    let mut env = Env::new(Rm::Rne);
    let result = operation(&mut env);
    (result, env.flags)
}

fn comparisons<F: Float>() {
    pairs(|a: F, b: F| {
        let (x, y) = (number(a), number(b));
        let loud = invalid(x.is_nan() || y.is_nan());
        let quiet = invalid(signalling(a) || signalling(b));
        assert_eq!(run(|env| fp::eq(env, a, b)), (x == y, quiet), "{a:x?} = {b:x?}");
        assert_eq!(run(|env| fp::lt(env, a, b)), (x < y, loud), "{a:x?} < {b:x?}");
        assert_eq!(run(|env| fp::le(env, a, b)), (x <= y, loud), "{a:x?} <= {b:x?}");
        assert_eq!(run(|env| fp::ltq(env, a, b)), (x < y, quiet), "{a:x?} <q {b:x?}");
        assert_eq!(run(|env| fp::leq(env, a, b)), (x <= y, quiet), "{a:x?} <=q {b:x?}");
    });
}

fn extrema<F: Float>() {
    pairs(|a: F, b: F| {
        let (x, y) = (number(a), number(b));
        let flags = invalid(signalling(a) || signalling(b));
        // `total_cmp` orders −0 below +0.
        let (low, high) = if x.total_cmp(&y).is_le() { (a, b) } else { (b, a) };
        let (min, max, minm, maxm) = match (x.is_nan(), y.is_nan()) {
            (true, true) => (F::nan(), F::nan(), F::nan(), F::nan()),
            (true, false) => (b, b, F::nan(), F::nan()),
            (false, true) => (a, a, F::nan(), F::nan()),
            (false, false) => (low, high, low, high),
        };
        assert_eq!(run(|env| fp::min(env, a, b)), (min, flags), "min {a:x?} {b:x?}");
        assert_eq!(run(|env| fp::max(env, a, b)), (max, flags), "max {a:x?} {b:x?}");
        assert_eq!(run(|env| fp::minm(env, a, b)), (minm, flags), "minm {a:x?} {b:x?}");
        assert_eq!(run(|env| fp::maxm(env, a, b)), (maxm, flags), "maxm {a:x?} {b:x?}");
    });
}

#[test]
fn comparisons_of_each_format() {
    comparisons::<F16>();
    comparisons::<F32>();
    comparisons::<F64>();
}

#[test]
fn minima_and_maxima_of_each_format() {
    extrema::<F16>();
    extrema::<F32>();
    extrema::<F64>();
}

#[test]
fn classes_are_those_of_the_host() {
    use std::num::FpCategory as C;
    pairs(|a: F32, _| {
        let x = f32::from_bits(a.0);
        let bit = match (x.classify(), x.is_sign_negative()) {
            (C::Infinite, true) => 0,
            (C::Normal, true) => 1,
            (C::Subnormal, true) => 2,
            (C::Zero, true) => 3,
            (C::Zero, false) => 4,
            (C::Subnormal, false) => 5,
            (C::Normal, false) => 6,
            (C::Infinite, false) => 7,
            (C::Nan, _) => {
                if signalling(a) {
                    8
                } else {
                    9
                }
            }
        };
        assert_eq!(a.classify(), 1 << bit, "{a:x?}");
    });
    // Every half-precision pattern, classified by ranges of its fields.
    for bits in 0..=u16::MAX {
        let bit = match bits {
            0xfc00 => 0,
            0x8400..0xfc00 => 1,
            0x8001..0x8400 => 2,
            0x8000 => 3,
            0 => 4,
            0x0001..0x0400 => 5,
            0x0400..0x7c00 => 6,
            0x7c00 => 7,
            0x7c01..0x7e00 | 0xfc01..0xfe00 => 8,
            0x7e00..0x8000 | 0xfe00.. => 9,
        };
        assert_eq!(F16(bits).classify(), 1 << bit, "{bits:x}");
    }
}

#[test]
fn sign_injection_keeps_nans() {
    pairs(|a: F64, b: F64| {
        let (x, y) = (f64::from_bits(a.0), f64::from_bits(b.0));
        assert_eq!(fp::sgnj(Sgnj::Copy, a, b).0, x.copysign(y).to_bits());
        assert_eq!(fp::sgnj(Sgnj::Not, a, b).0, x.copysign(-y).to_bits());
        assert_eq!(fp::sgnj(Sgnj::Xor, a, b).0, a.0 ^ b.0 & 1 << 63);
    });
}

#[test]
fn boxing() {
    assert_eq!(F32(0x8000_0001).nan_box(), 0xffff_ffff_8000_0001);
    assert_eq!(F16(0x1234).nan_box(), 0xffff_ffff_ffff_1234);
    assert_eq!(F64(0x1234).nan_box(), 0x1234);
    assert_eq!(F32::unbox(0xffff_ffff_8000_0001), F32(0x8000_0001));
    assert_eq!(F32::unbox(0xffff_fffe_8000_0001), F32(0x7fc0_0000));
    assert_eq!(F16::unbox(0xffff_ffff_8000_0001), F16(0x7e00));
    assert_eq!(F16::unbox(0xffff_ffff_ffff_8001), F16(0x8001));
    assert_eq!(F64::unbox(0x8000_0000_0000_0001), F64(0x8000_0000_0000_0001));
}

/// The printed patterns of the table in "Zfa", sign, exponent and significand, in single
/// precision; the other formats have the same values.
#[test]
fn fli_constants() {
    let singles: [u32; 32] = [
        0xbf80_0000,
        0x0080_0000,
        0x3780_0000,
        0x3800_0000,
        0x3b80_0000,
        0x3c00_0000,
        0x3d80_0000,
        0x3e00_0000,
        0x3e80_0000,
        0x3ea0_0000,
        0x3ec0_0000,
        0x3ee0_0000,
        0x3f00_0000,
        0x3f20_0000,
        0x3f40_0000,
        0x3f60_0000,
        0x3f80_0000,
        0x3fa0_0000,
        0x3fc0_0000,
        0x3fe0_0000,
        0x4000_0000,
        0x4020_0000,
        0x4040_0000,
        0x4080_0000,
        0x4100_0000,
        0x4180_0000,
        0x4300_0000,
        0x4380_0000,
        0x4700_0000,
        0x4780_0000,
        0x7f80_0000,
        0x7fc0_0000,
    ];
    for (index, single) in (0..).zip(singles) {
        assert_eq!(fp::fli::<F32>(index).0, single, "{index}");
        let double = match index {
            1 => f64::MIN_POSITIVE,
            31 => f64::from_bits(0x7ff8_0000_0000_0000),
            _ => f32::from_bits(single).into(),
        };
        assert_eq!(fp::fli::<F64>(index).0, double.to_bits(), "{index}");
    }
    let half = |index| fp::fli::<F16>(index).0;
    assert_eq!([half(0), half(1), half(2), half(3)], [0xbc00, 0x0400, 0x0100, 0x0200]);
    assert_eq!([half(28), half(29), half(30), half(31)], [0x7800, 0x7c00, 0x7c00, 0x7e00]);
}

#[test]
fn reserved_rounding_modes() {
    for bits in 0..=255 {
        assert_eq!(Rm::from_bits(bits).map(|rm| rm as u8), (bits < 5).then_some(bits));
    }
}
