//! Words with taint, on which the steps of ciphers and hashes run as they do on numbers.

use crate::bits;
use crate::value::{self, Value};
use capvec_sim::crypto::sha2;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shr};

/// A word of `W` bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Word<const W: u32>(pub Value);

impl<const W: u32> Word<W> {
    /// A public constant.
    pub fn public(bits: u64) -> Self {
        Word(Value::public(bits).low(W))
    }

    fn of(bits: u64, taint: u64) -> Self {
        Word(Value { bits, taint }.low(W))
    }

    /// Rotation to the left, by less than `W`.
    pub fn rotate_left(self, n: u32) -> Self {
        let Value { bits, taint } = self.0;
        let rotate = |x: u64| if n == 0 { x } else { x << n | x >> (W - n) };
        Word::of(rotate(bits), rotate(taint))
    }

    /// Addition.
    pub fn add(self, other: Self) -> Self {
        Word::of(self.0.bits.wrapping_add(other.0.bits), bits::add(self.0, other.0))
    }

    /// The bytes in the opposite order.
    pub fn swap_bytes(self) -> Self {
        let swap = |x: u64| x.swap_bytes() >> (64 - W);
        Word::of(swap(self.0.bits), swap(self.0.taint))
    }
}

impl<const W: u32> BitAnd for Word<W> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Word::of(self.0.bits & other.0.bits, value::and(self.0, other.0))
    }
}

impl<const W: u32> BitOr for Word<W> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Word::of(self.0.bits | other.0.bits, value::or(self.0, other.0))
    }
}

impl<const W: u32> BitXor for Word<W> {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Word::of(self.0.bits ^ other.0.bits, self.0.taint | other.0.taint)
    }
}

impl<const W: u32> Not for Word<W> {
    type Output = Self;
    fn not(self) -> Self {
        Word::of(!self.0.bits, self.0.taint)
    }
}

impl<const W: u32> Shr<u32> for Word<W> {
    type Output = Self;
    fn shr(self, n: u32) -> Self {
        Word::of(self.0.bits >> n, self.0.taint >> n)
    }
}

macro_rules! sha2_word {
    ($width:literal, $number:ty) => {
        impl sha2::Word for Word<$width> {
            const SIG0: [u32; 3] = <$number as sha2::Word>::SIG0;
            const SIG1: [u32; 3] = <$number as sha2::Word>::SIG1;
            const SUM0: [u32; 3] = <$number as sha2::Word>::SUM0;
            const SUM1: [u32; 3] = <$number as sha2::Word>::SUM1;

            fn rotr(self, n: u32) -> Self {
                self.rotate_left(($width - n) % $width)
            }
            fn plus(self, other: Self) -> Self {
                self.add(other)
            }
        }
    };
}

sha2_word!(32, u32);
sha2_word!(64, u64);

/// The tainted bits of a word of which each byte goes through an S-box.
pub fn substituted(taint: u32) -> u32 {
    u32::from_le_bytes(taint.to_le_bytes().map(|byte| if byte == 0 { 0 } else { 0xff }))
}
