//! IEEE 754 arithmetic with RISC-V's rules, bit-exact with flags, independent of the hart.
//!
//! Rounding and exceptions come from Berkeley SoftFloat 3e in its RISC-V specialisation (crate
//! `softfloat-sys`): every NaN result is the canonical one, and tininess is detected after
//! rounding (unprivileged manual, "F" extension, sections "NaN generation and propagation" and
//! "Subnormal arithmetic"). What SoftFloat lacks is here: minimum and maximum, classification,
//! sign injection, saturation to narrow integers, the 7-bit estimates of "V", and Zfa.
//!
//! Every function takes an [`Env`], reads its rounding mode and accumulates flags in it, as
//! the hardware does with `frm` and `fflags`.

mod arith;
mod convert;
mod env;
mod estimate;
mod fli;
mod format;
mod soft;

pub use arith::{
    Fma, Sgnj, add, div, eq, fma, le, leq, lt, ltq, max, maxm, min, minm, mul, sgnj, sqrt, sub,
};
pub use convert::{Int, convert, cvtmod_w_d, from_int, round_to_integral, to_int};
pub use env::{Env, Flags, Rm};
pub use estimate::{rec7, rsqrt7};
pub use fli::fli;
pub use format::{F16, F32, F64, Float};
