//! Arithmetic in every rounding mode, result and flags, against the exact reference.

use capvec_sim::fp::{self, Env, F16, F32, F64, Float, Fma, Rm};

use super::patterns::{MODES, Random, specials};
use super::reference::{self, Outcome};

/// Random operands for each operation, format and rounding mode.
const ROUNDS: usize = 4000;

#[track_caller]
fn check<F: Float>(
    what: &str,
    rm: Rm,
    operands: &[F],
    run: impl FnOnce(&mut Env) -> F,
    want: Outcome,
) {
    let mut env = Env::new(rm);
    let got = run(&mut env);
    assert_eq!(
        (got.bits(), env.flags),
        want,
        "{what} {rm:?} of {operands:x?}: got {:x}, want {:x}",
        got.bits(),
        want.0
    );
}

fn binary<F: Float>(rm: Rm, a: F, b: F) {
    check("add", rm, &[a, b], |env| fp::add(env, a, b), reference::add(a, b, rm));
    // A NaN's sign does not matter, so a − b is a + (−b).
    check("sub", rm, &[a, b], |env| fp::sub(env, a, b), reference::add(a, b.negate(), rm));
    check("mul", rm, &[a, b], |env| fp::mul(env, a, b), reference::mul(a, b, rm));
    check("div", rm, &[a, b], |env| fp::div(env, a, b), reference::div(a, b, rm));
}

fn ternary<F: Float>(rm: Rm, a: F, b: F, c: F) {
    for (kind, x, z) in [
        (Fma::Madd, a, c),
        (Fma::Msub, a, c.negate()),
        (Fma::Nmsub, a.negate(), c),
        (Fma::Nmadd, a.negate(), c.negate()),
    ] {
        let want = reference::mul_add(x, b, z, rm);
        check("fma", rm, &[a, b, c], |env| fp::fma(env, kind, a, b, c), want);
    }
}

fn arithmetic<F: Float>() {
    let mut random = Random::new();
    let specials = specials::<F>();
    for rm in MODES {
        for &a in &specials {
            check("sqrt", rm, &[a], |env| fp::sqrt(env, a), reference::sqrt(a, rm));
            for &b in &specials {
                binary(rm, a, b);
                let c = specials[random.below(specials.len() as u64) as usize];
                ternary(rm, a, b, c);
            }
        }
        for _ in 0..ROUNDS {
            let a: F = random.float();
            let b = random.near(a);
            binary(rm, a, b);
            check("sqrt", rm, &[a], |env| fp::sqrt(env, a), reference::sqrt(a, rm));
            // An addend close to the negated product, so that the sum cancels.
            let product = fp::mul(&mut Env::new(rm), a, b);
            ternary(rm, a, b, random.near(product.negate()));
        }
    }
}

#[test]
fn half_arithmetic_is_exact() {
    arithmetic::<F16>();
}

#[test]
fn single_arithmetic_is_exact() {
    arithmetic::<F32>();
}

#[test]
fn double_arithmetic_is_exact() {
    arithmetic::<F64>();
}

#[test]
fn every_half_square_root() {
    for rm in MODES {
        for a in (0..=u16::MAX).map(F16) {
            check("sqrt", rm, &[a], |env| fp::sqrt(env, a), reference::sqrt(a, rm));
        }
    }
}

/// Every half-precision operand with every edge, in every mode.
#[test]
fn every_half_with_edges() {
    for a in (0..=u16::MAX).step_by(7).map(F16) {
        for b in [0x0001, 0x03ff, 0x0400, 0x3555, 0x3c01, 0x7bff, 0xbbff, 0xfc00].map(F16) {
            for rm in MODES {
                binary(rm, a, b);
            }
        }
    }
}

#[test]
fn infinity_times_zero_plus_a_quiet_nan_is_invalid() {
    let mut env = Env::new(Rm::Rne);
    let nan = F64::from_bits(0xfff8_0000_0000_1234);
    let got = fp::fma(&mut env, Fma::Madd, F64::infinity(true), F64::zero(false), nan);
    assert_eq!((got, env.flags), (F64::nan(), fp::Flags::NV));
}

/// Two threads with different modes and many flags do not disturb each other.
#[test]
fn threads_have_their_own_environment() {
    let run = |rm: Rm, want: u64| {
        for _ in 0..200_000 {
            let mut env = Env::new(rm);
            let third = fp::div(&mut env, F64(1f64.to_bits()), F64(3f64.to_bits()));
            assert_eq!((third.bits(), env.flags), (want, fp::Flags::NX), "{rm:?}");
            let mut env = Env::new(rm);
            fp::add(&mut env, F64::zero(false), F64::zero(false));
            assert_eq!(env.flags, fp::Flags::NONE, "{rm:?}");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| run(Rm::Rdn, 0x3fd5_5555_5555_5555));
        scope.spawn(|| run(Rm::Rup, 0x3fd5_5555_5555_5556));
    });
}
