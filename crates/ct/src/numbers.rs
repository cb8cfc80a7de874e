//! Maps whose keys are addresses and other numbers, on the path of every instruction with a secret.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with a fast hash. A program that chooses its addresses badly slows down only its own check.
pub type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// An odd number without a pattern: 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiplies each number, and adds the halves of the product.
#[derive(Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn write_u64(&mut self, n: u64) {
        let product = u128::from(self.0 ^ n ^ GOLDEN) * u128::from(GOLDEN);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
