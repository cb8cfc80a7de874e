//! Numbers that tend to find faults: edges of integers, of floating-point formats and of mapped memory.

use crate::layout::{DATA, DATA_END, PAGE, WRITABLE};
use capvec_sim::testing::Rng;

/// An integer of `bits` bits, in the low bits.
pub fn integer(rng: &mut Rng, bits: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let v = match rng.below(8) {
        0..3 => rng.next(),
        3 => rng.below(2 * bits as u64),
        4 => rng.below(2 * bits as u64).wrapping_neg(),
        5 => 1 << rng.below(bits as u64),
        6 => {
            let half = 1u64 << rng.below(bits as u64);
            half.wrapping_sub(1).wrapping_add(rng.below(3))
        }
        _ => rng.pick(&[0, 1, u64::MAX, 1 << (bits - 1), mask >> 1, 0x5555_5555_5555_5555]),
    };
    v & mask
}

/// A floating-point format: bits of the exponent and of the significand's fraction.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    exponent: u32,
    fraction: u32,
}

/// IEEE 754 binary16, binary32, binary64.
pub const FORMATS: [Format; 3] = [
    Format { exponent: 5, fraction: 10 },
    Format { exponent: 8, fraction: 23 },
    Format { exponent: 11, fraction: 52 },
];

impl Format {
    /// Bits of a value.
    pub fn bits(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// A bit pattern, often at the edges of the format.
    pub fn value(self, rng: &mut Rng) -> u64 {
        let top = (1u64 << self.exponent) - 1;
        let bias = top >> 1;
        let exponent = match rng.below(10) {
            0 => 0,
            1 => top,
            2 => rng.pick(&[1, 2, top - 1, top - 2]),
            // Close to each other, so that sums cancel and products do not overflow.
            3..6 => bias - 2 + rng.below(5),
            // Around the limits of integers.
            6 => bias + rng.pick(&[6, 7, 8, 14, 15, 16, 30, 31, 32, 62, 63, 64]) % (bias + 1),
            7 => bias.saturating_sub(rng.below(self.fraction as u64 + 3)),
            _ => rng.next() & top,
        };
        let all = (1u64 << self.fraction) - 1;
        let fraction = match rng.below(6) {
            0 => 0,
            1 => rng.pick(&[1, all, all - 1, all / 2, all / 2 + 1, 2]),
            2 => 1 << rng.below(self.fraction as u64),
            3 => all & !((1 << rng.below(self.fraction as u64)) - 1),
            _ => rng.next() & all,
        };
        let sign = rng.below(2);
        (sign << self.exponent | exponent) << self.fraction | fraction
    }
}

/// An f register: a value of some format, NaN-boxed or (rarely) badly boxed.
pub fn f_register(rng: &mut Rng) -> u64 {
    let format = rng.pick(&[FORMATS[0], FORMATS[1], FORMATS[1], FORMATS[2], FORMATS[2]]);
    let boxed = match format.bits() {
        64 => 0,
        bits => u64::MAX << bits,
    };
    let bad = if rng.one_in(16) { 1 << rng.below(64) } else { 0 };
    (format.value(rng) | boxed) ^ bad
}

/// An address in or near the data pages; usually a few bytes around it are accessible.
pub fn address(rng: &mut Rng) -> u64 {
    let middle = DATA + PAGE;
    match rng.below(32) {
        0..14 => middle - 256 + 8 * rng.below(64),
        14..18 => middle - 64 + rng.below(128),
        // Around the end of the writable pages.
        18..21 => DATA + WRITABLE - 64 + 4 * rng.below(32),
        21..23 => DATA + WRITABLE - 16 + rng.below(32),
        23..25 => DATA + 4 * rng.below(16),
        25 => DATA.wrapping_sub(16) + rng.below(32),
        26 => DATA_END - 32 + rng.below(40),
        27 => DATA_END - 512 + 8 * rng.below(32),
        28..31 => DATA + 8 * rng.below(WRITABLE / 8),
        _ => {
            rng.pick(&[0, DATA - PAGE, DATA_END + PAGE, DATA_END, DATA - 8, 1 << 46, u64::MAX - 7])
        }
    }
}

/// An address, usually with hundreds of accessible bytes around it in either direction.
pub fn good_address(rng: &mut Rng) -> u64 {
    let middle = DATA + PAGE;
    match rng.below(16) {
        0..8 => middle - 256 + 8 * rng.below(64),
        8..12 => middle - 64 + rng.below(128),
        12..15 => DATA + PAGE / 2 + 8 * rng.below(PAGE / 8),
        _ => address(rng),
    }
}

/// A stride in bytes, usually small.
pub fn stride(rng: &mut Rng) -> u64 {
    let small = rng.pick(&[0, 1, 2, 3, 4, 8, 8, 12, 16, 24, 64]);
    match rng.below(8) {
        0..5 => small,
        5..7 => small.wrapping_neg(),
        _ => PAGE / 2 + small,
    }
}
