//! Arithmetic, comparison, minimum and maximum, sign injection.

use super::env::{Env, Flags};
use super::format::Float;

/// `a` + `b`.
pub fn add<F: Float>(env: &mut Env, a: F, b: F) -> F {
    env.run(|| a.soft_add(b))
}

/// `a` − `b`.
pub fn sub<F: Float>(env: &mut Env, a: F, b: F) -> F {
    env.run(|| a.soft_sub(b))
}

/// `a` × `b`.
pub fn mul<F: Float>(env: &mut Env, a: F, b: F) -> F {
    env.run(|| a.soft_mul(b))
}

/// `a` ÷ `b`.
pub fn div<F: Float>(env: &mut Env, a: F, b: F) -> F {
    env.run(|| a.soft_div(b))
}

/// Square root of `a`.
pub fn sqrt<F: Float>(env: &mut Env, a: F) -> F {
    env.run(|| a.soft_sqrt())
}

/// The signs of a fused multiply-add. Each kind has one scalar instruction and two vector
/// instructions, which differ in the order of their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fma {
    /// (a × b) + c: `fmadd`, `vfmacc`, `vfmadd`.
    Madd,
    /// (a × b) − c: `fmsub`, `vfmsac`, `vfmsub`.
    Msub,
    /// −(a × b) + c: `fnmsub`, `vfnmsac`, `vfnmsub`.
    Nmsub,
    /// −(a × b) − c: `fnmadd`, `vfnmacc`, `vfnmadd`.
    Nmadd,
}

/// Fused multiply-add, rounded once. ∞ × 0 is invalid whatever the addend, even a quiet NaN.
pub fn fma<F: Float>(env: &mut Env, kind: Fma, a: F, b: F, c: F) -> F {
    let a = if matches!(kind, Fma::Nmsub | Fma::Nmadd) { a.negate() } else { a };
    let c = if matches!(kind, Fma::Msub | Fma::Nmadd) { c.negate() } else { c };
    env.run(|| a.soft_mul_add(b, c))
}

/// `a` = `b`, quiet.
pub fn eq<F: Float>(env: &mut Env, a: F, b: F) -> bool {
    env.run(|| a.soft_eq(b))
}

/// `a` < `b`, signalling.
pub fn lt<F: Float>(env: &mut Env, a: F, b: F) -> bool {
    env.run(|| a.soft_lt(b))
}

/// `a` ≤ `b`, signalling.
pub fn le<F: Float>(env: &mut Env, a: F, b: F) -> bool {
    env.run(|| a.soft_le(b))
}

/// `a` < `b`, quiet (Zfa `fltq`).
pub fn ltq<F: Float>(env: &mut Env, a: F, b: F) -> bool {
    env.run(|| a.soft_lt_quiet(b))
}

/// `a` ≤ `b`, quiet (Zfa `fleq`).
pub fn leq<F: Float>(env: &mut Env, a: F, b: F) -> bool {
    env.run(|| a.soft_le_quiet(b))
}

/// IEEE 754-2019 minimumNumber: a NaN loses to a number, −0 < +0.
pub fn min<F: Float>(env: &mut Env, a: F, b: F) -> F {
    number(env, a, b).unwrap_or_else(|| if below(a, b) { a } else { b })
}

/// IEEE 754-2019 maximumNumber: a NaN loses to a number, −0 < +0.
pub fn max<F: Float>(env: &mut Env, a: F, b: F) -> F {
    number(env, a, b).unwrap_or_else(|| if below(a, b) { b } else { a })
}

/// IEEE 754-2019 minimum: a NaN wins (Zfa `fminm`).
pub fn minm<F: Float>(env: &mut Env, a: F, b: F) -> F {
    if a.is_nan() || b.is_nan() { signal(env, a, b) } else { min(env, a, b) }
}

/// IEEE 754-2019 maximum: a NaN wins (Zfa `fmaxm`).
pub fn maxm<F: Float>(env: &mut Env, a: F, b: F) -> F {
    if a.is_nan() || b.is_nan() { signal(env, a, b) } else { max(env, a, b) }
}

/// The result of minimumNumber or maximumNumber if a NaN decides it.
fn number<F: Float>(env: &mut Env, a: F, b: F) -> Option<F> {
    match (a.is_nan(), b.is_nan()) {
        (false, false) => None,
        (nan_a, nan_b) => {
            let nan = signal(env, a, b);
            Some(match (nan_a, nan_b) {
                (true, false) => b,
                (false, true) => a,
                _ => nan,
            })
        }
    }
}

/// Returns the canonical NaN, and raises invalid if an operand is a signalling NaN.
fn signal<F: Float>(env: &mut Env, a: F, b: F) -> F {
    if a.is_snan() || b.is_snan() {
        env.raise(Flags::NV);
    }
    F::nan()
}

/// Order of numbers (not NaNs) with −0 below +0: that of sign and magnitude.
fn below<F: Float>(a: F, b: F) -> bool {
    match (a.is_negative(), b.is_negative()) {
        (false, false) => a.bits() < b.bits(),
        (true, true) => a.bits() > b.bits(),
        (negative, _) => negative,
    }
}

/// Where sign injection takes the sign from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sgnj {
    /// The second operand's: `fsgnj`.
    Copy,
    /// The opposite of the second operand's: `fsgnjn`.
    Not,
    /// The exclusive or of both: `fsgnjx`.
    Xor,
}

/// `a` with its sign replaced; no flags, NaNs are not canonicalised.
pub fn sgnj<F: Float>(kind: Sgnj, a: F, b: F) -> F {
    a.with_sign(match kind {
        Sgnj::Copy => b.is_negative(),
        Sgnj::Not => !b.is_negative(),
        Sgnj::Xor => a.is_negative() != b.is_negative(),
    })
}
