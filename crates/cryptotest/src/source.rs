//! The decisions of a target: from libFuzzer's bytes and, when these are used up or absent, from a random number
//! generator.

use crate::guarded::{Guarded, Place};

/// A source of decisions.
pub struct Source<'a> {
    data: &'a [u8],
    state: u64,
    /// Whether every buffer touches a guard page.
    pub at_the_edge: bool,
}

impl<'a> Source<'a> {
    /// Random decisions.
    pub fn random(seed: u64) -> Source<'static> {
        Source { data: &[], state: seed, at_the_edge: false }
    }

    /// Decisions from a fuzzer's input; equal inputs give equal decisions.
    pub fn fuzzed(data: &'a [u8]) -> Source<'a> {
        // FNV-1a.
        let hash = |h: u64, b: &u8| (h ^ *b as u64).wrapping_mul(0x100_0000_01b3);
        Source { data, state: data.iter().fold(0xcbf2_9ce4_8422_2325, hash), at_the_edge: false }
    }

    /// SplitMix64.
    fn random_word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn byte(&mut self) -> u8 {
        match self.data.split_first() {
            Some((first, rest)) => {
                self.data = rest;
                *first
            }
            None => self.random_word() as u8,
        }
    }

    /// A number below `n`, which is at most 2^16.
    pub fn below(&mut self, n: usize) -> usize {
        let high = if n > 256 { self.byte() as usize } else { 0 };
        (high << 8 | self.byte() as usize) % n
    }

    /// A boolean.
    pub fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A length up to `max`: often short, or close to a multiple of a block.
    pub fn len(&mut self, max: usize) -> usize {
        let n = match self.below(4) {
            0 => self.below(34),
            1 => (self.below(max / 16 + 1) * 16 + self.below(3)).saturating_sub(1),
            2 => self.below(max.min(600) + 1),
            _ => self.below(max + 1),
        };
        n.min(max)
    }

    /// Bytes: mostly random, sometimes ones that provoke carries, or the fuzzer's.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        match self.below(8) {
            0 => vec![0xff; len],
            1 => vec![0; len],
            2 => (0..len).map(|_| self.byte()).collect(),
            3 => (0..len).map(|_| [0, 0xff][(self.random_word() & 1) as usize]).collect(),
            _ => (0..len).map(|_| self.random_word() as u8).collect(),
        }
    }

    /// The position of a buffer.
    pub fn place(&mut self) -> Place {
        match self.below(if self.at_the_edge { 2 } else { 4 }) {
            0 => Place::Begin,
            1 => Place::End,
            _ => Place::Offset(self.below(64)),
        }
    }

    /// A buffer of these bytes.
    pub fn buffer(&mut self, bytes: &[u8]) -> Guarded {
        Guarded::new(bytes, self.place())
    }

    /// Splits `len` bytes into pieces: multiples of `unit` except for the last one, some of length 0.
    pub fn pieces(&mut self, len: usize, unit: usize) -> Vec<usize> {
        let mut pieces = Vec::new();
        let mut left = len;
        while left > 0 && pieces.len() < 12 && self.below(4) != 0 {
            let most = (left / unit).min(if self.flag() { 3 * 16 / unit + 1 } else { usize::MAX });
            let n = self.below(most.min(u16::MAX as usize) + 1) * unit;
            pieces.push(n);
            left -= n;
        }
        pieces.push(left);
        pieces
    }
}
