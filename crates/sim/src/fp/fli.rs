//! The constants of Zfa `fli`.

use super::convert::convert;
use super::env::{Env, Rm};
use super::format::{F64, Float};

/// Unprivileged manual, "Zfa", section "Load-immediate instructions". Entry 1 is the smallest
/// positive normal number of the format and entry 31 its canonical NaN; [`fli`] does not take
/// these two from here.
const VALUES: [f64; 32] = [
    -1.0,
    f64::MIN_POSITIVE,
    1.0 / 65536.0,
    1.0 / 32768.0,
    1.0 / 256.0,
    1.0 / 128.0,
    0.0625,
    0.125,
    0.25,
    0.3125,
    0.375,
    0.4375,
    0.5,
    0.625,
    0.75,
    0.875,
    1.0,
    1.25,
    1.5,
    1.75,
    2.0,
    2.5,
    3.0,
    4.0,
    8.0,
    16.0,
    128.0,
    256.0,
    32768.0,
    65536.0,
    f64::INFINITY,
    f64::NAN,
];

/// The constant that `fli` with this `rs1` field (its low five bits) loads. In half precision
/// entries 2 and 3 are subnormal and entry 29 overflows to infinity, as in the table.
#[must_use]
pub fn fli<F: Float>(index: u8) -> F {
    match index & 31 {
        1 => F::from_bits(1 << F::FRAC),
        31 => F::nan(),
        index => {
            let value = F64(VALUES[usize::from(index)].to_bits());
            convert(&mut Env::new(Rm::Rne), value)
        }
    }
}
