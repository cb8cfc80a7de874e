//! Operand patterns: every special value with every other, and random ones that are near the edges far more often
//! than uniform bits would be.

use capvec_sim::fp::{Float, Rm};
use capvec_sim::testing::Rng;

/// The modes an instruction can name.
pub const MODES: [Rm; 5] = [Rm::Rne, Rm::Rtz, Rm::Rdn, Rm::Rup, Rm::Rmm];

/// Random operands from the seed that `Rng` prints.
pub struct Random(Rng);

impl Random {
    pub fn new() -> Self {
        Self(Rng::new("fp"))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next()
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0.below(limit)
    }

    /// A number that, half of the time, begins with a run of zeros or ones.
    pub fn significand(&mut self) -> u64 {
        match self.below(4) {
            0 => self.bits() >> self.below(64),
            1 => !(self.bits() >> self.below(64)),
            _ => self.bits(),
        }
    }

    /// An operand: exponents near the ends, near one, or anywhere.
    pub fn float<F: Float>(&mut self) -> F {
        let top = (1 << F::EXP) - 1;
        let middle = F::BIAS as u64;
        let exponent = match self.below(8) {
            0 => self.below(3),
            1 => top - self.below(3),
            2 | 3 => middle - F::FRAC.min(10) as u64 + self.below(2 * F::FRAC.min(10) as u64),
            _ => self.below(top + 1),
        };
        let fraction = self.significand() & F::FRAC_MASK;
        F::from_bits(exponent << F::FRAC | fraction).with_sign(self.below(2) == 1)
    }

    /// An operand near `other` or its negative, or independent of it, so that sums cancel and quotients are near one.
    pub fn near<F: Float>(&mut self, other: F) -> F {
        match self.below(4) {
            0 => F::from_bits(other.bits().wrapping_add(self.below(9)).wrapping_sub(4)),
            1 => F::from_bits(other.bits() ^ self.significand() & F::FRAC_MASK).negate(),
            _ => self.float(),
        }
    }
}

/// Edges of a format, of both signs: zeros, ends of the subnormal and normal ranges, one and
/// its neighbours, powers of two about the precision, the ends of the integer types,
/// infinities, NaNs of both kinds.
pub fn specials<F: Float>() -> Vec<F> {
    let one = (F::BIAS as u64) << F::FRAC;
    let power = |k: i32| ((F::BIAS + k).clamp(0, 2 * F::BIAS) as u64) << F::FRAC;
    let mut positive = vec![
        0,
        1,
        2,
        F::FRAC_MASK,
        F::FRAC_MASK - 1,
        F::QUIET_BIT,
        1 << F::FRAC,
        (1 << F::FRAC) + 1,
        one - 1,
        one,
        one + 1,
        one | F::QUIET_BIT,
        one | F::FRAC_MASK,
        power(-1),
        power(-1) - 1,
        power(-1) + 1,
        F::EXP_MASK - 1,
        F::EXP_MASK - (1 << F::FRAC),
        F::EXP_MASK,
        F::EXP_MASK | 1,
        F::EXP_MASK | F::QUIET_BIT,
        F::EXP_MASK | F::FRAC_MASK,
    ];
    for k in [1, 7, 8, 15, 16, 31, 32, 63, 64, F::FRAC as i32, F::FRAC as i32 + 1] {
        positive.extend([power(k) - 1, power(k), power(k) + 1, power(k) | F::QUIET_BIT]);
    }
    let mut all: Vec<F> = positive.iter().map(|&bits| F::from_bits(bits)).collect();
    all.extend(positive.iter().map(|&bits| F::from_bits(bits).negate()));
    all
}
