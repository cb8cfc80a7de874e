//! Conversions in every rounding mode, result and flags, against exact integers.

use capvec_sim::fp::{self, Env, F16, F32, F64, Flags, Float, Int, Rm};
use num_bigint::BigUint;

use super::patterns::{MODES, Random, specials};
use super::reference::{self, Exact, Outcome, Value, value};

const ROUNDS: usize = 20_000;

const INTS: [Int; 8] = [
    Int::signed(8),
    Int::unsigned(8),
    Int::signed(16),
    Int::unsigned(16),
    Int::I32,
    Int::U32,
    Int::I64,
    Int::U64,
];

/// Smallest and largest value.
fn range(int: Int) -> (i128, i128) {
    if int.signed {
        (-(1 << (int.bits - 1)), (1 << (int.bits - 1)) - 1)
    } else {
        (0, (1 << int.bits) - 1)
    }
}

fn to_int<F: Float>(a: F, int: Int, rm: Rm) -> Outcome {
    let (low, high) = range(int);
    let number = match value(a) {
        Value::Nan | Value::Infinity(false) => return (high as u64, Flags::NV),
        Value::Infinity(true) => return (low as u64, Flags::NV),
        Value::Number(number) => number,
    };
    let (magnitude, inexact) = number.to_units(0, rm);
    let limit = BigUint::from(1u32) << 100;
    let magnitude = i128::try_from(magnitude.min(limit)).unwrap();
    let rounded = if number.negative { -magnitude } else { magnitude };
    if rounded < low {
        (low as u64, Flags::NV)
    } else if rounded > high {
        (high as u64, Flags::NV)
    } else {
        (rounded as u64, if inexact { Flags::NX } else { Flags::NONE })
    }
}

fn round_to_integral<F: Float>(a: F, rm: Rm) -> Outcome {
    match value(a) {
        Value::Nan => reference::propagate(&[a]),
        Value::Infinity(_) => (a.bits(), Flags::NONE),
        Value::Number(number) => {
            let (significand, inexact) = number.to_units(0, rm);
            let integral = Exact { significand, exponent: 0, ..number };
            let (bits, flags) = integral.round::<F>(rm);
            assert_eq!(flags, Flags::NONE);
            (bits, if inexact { Flags::NX } else { Flags::NONE })
        }
    }
}

fn convert<A: Float, B: Float>(a: A, rm: Rm) -> Outcome {
    match value(a) {
        Value::Nan => reference::nan::<B>(reference::propagate(&[a]).1),
        Value::Infinity(negative) => reference::infinity::<B>(negative),
        Value::Number(number) => number.round::<B>(rm),
    }
}

fn check_to_int<F: Float>(a: F) {
    for rm in MODES {
        for int in INTS {
            let mut env = Env::new(rm);
            let got = fp::to_int(&mut env, a, int);
            assert_eq!((got, env.flags), to_int(a, int, rm), "{a:x?} to {int:?} {rm:?}");
        }
        for exact in [false, true] {
            let mut env = Env::new(rm);
            let got = fp::round_to_integral(&mut env, a, exact);
            let (want, mut flags) = round_to_integral(a, rm);
            if !exact && flags == Flags::NX {
                flags = Flags::NONE;
            }
            assert_eq!((got.bits(), env.flags), (want, flags), "round {a:x?} {rm:?}");
        }
    }
}

fn check_convert<A: Float, B: Float>(a: A) {
    for rm in MODES.into_iter().chain([Rm::Rod]) {
        let mut env = Env::new(rm);
        let got: B = fp::convert(&mut env, a);
        assert_eq!((got.bits(), env.flags), convert::<A, B>(a, rm), "{a:x?} {rm:?}");
    }
}

fn operands<F: Float>() -> impl Iterator<Item = F> {
    let mut random = Random::new();
    specials().into_iter().chain((0..ROUNDS).map(move |_| random.float()))
}

#[test]
fn every_half_converts() {
    for a in (0..=u16::MAX).map(F16) {
        check_to_int(a);
        check_convert::<F16, F32>(a);
        check_convert::<F16, F64>(a);
    }
}

#[test]
fn singles_convert() {
    for a in operands::<F32>() {
        check_to_int(a);
        check_convert::<F32, F16>(a);
        check_convert::<F32, F64>(a);
    }
}

#[test]
fn doubles_convert() {
    for a in operands::<F64>() {
        check_to_int(a);
        check_convert::<F64, F16>(a);
        check_convert::<F64, F32>(a);
    }
}

/// Doubles near the edges of the narrower formats, where double rounding or wrong tininess detection would show.
#[test]
fn doubles_narrow_at_the_edges() {
    let mut random = Random::new();
    for _ in 0..ROUNDS {
        let tail = random.significand() & 0x1fff_ffff;
        let single: F32 = random.float();
        let wide: F64 = fp::convert(&mut Env::new(Rm::Rne), single);
        check_convert::<F64, F32>(F64(wide.0 ^ tail));
        let half: F16 = random.float();
        let wide: F64 = fp::convert(&mut Env::new(Rm::Rne), half);
        check_convert::<F64, F16>(F64(wide.0 ^ (random.significand() >> 22)));
        let wide: F32 = fp::convert(&mut Env::new(Rm::Rne), half);
        check_convert::<F32, F16>(F32(wide.0 ^ (tail as u32 & 0x1fff)));
    }
}

fn check_from_int<F: Float>(bits: u64) {
    for int in INTS {
        let low = i128::from(bits) & ((1 << int.bits) - 1);
        let number = if low > range(int).1 { low - (1 << int.bits) } else { low };
        for rm in MODES {
            let mut env = Env::new(rm);
            let got: F = fp::from_int(&mut env, bits, int);
            let want = Exact::from_int(number).round::<F>(rm);
            assert_eq!((got.bits(), env.flags), want, "{number} {rm:?}");
        }
    }
}

#[test]
fn integers_convert() {
    let mut random = Random::new();
    let edges = (0..64).flat_map(|k| [1u64 << k, (1 << k) - 1, !(1 << k), !(1 << k) + 1]);
    for bits in edges.chain((0..ROUNDS as u64 / 4).map(|_| random.significand())) {
        check_from_int::<F16>(bits);
        check_from_int::<F32>(bits);
        check_from_int::<F64>(bits);
    }
}

#[test]
fn cvtmod_is_the_low_word() {
    for a in operands::<F64>() {
        // The current rounding mode neither matters nor changes.
        let mut env = Env::new(Rm::Rup);
        let got = fp::cvtmod_w_d(&mut env, a);
        let want = match value(a) {
            Value::Number(number) => {
                let (magnitude, _) = number.to_units(0, Rm::Rtz);
                let low = magnitude.iter_u32_digits().next().unwrap_or(0);
                if number.negative { low.wrapping_neg() } else { low }
            }
            _ => 0,
        };
        let flags = to_int(a, Int::I32, Rm::Rtz).1;
        assert_eq!((got as u32, env.flags, env.rm), (want, flags, Rm::Rup), "{a:x?}");
    }
}
