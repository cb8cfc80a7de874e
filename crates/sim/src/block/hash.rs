//! The hash of addresses. The hash of the standard library would take as long as the rest of a look-up.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Hashes addresses with a key of its own, which a guest cannot guess, so that it cannot choose addresses that collide.
#[derive(Clone, Copy, Debug)]
pub struct Keyed(u64);

impl Default for Keyed {
    fn default() -> Keyed {
        Keyed(RandomState::new().hash_one(0_u64))
    }
}

impl BuildHasher for Keyed {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.0)
    }
}

/// The hash so far: after each word, the exclusive or of both halves of a product.
pub struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, word: u64) {
        // An odd number without a pattern: the fraction of the golden ratio.
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15;
        let product = (self.0 ^ word) as u128 * FACTOR;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hashes of block addresses differ in the low bits and in the seven highest, both of which the hash table uses.
    #[test]
    fn neighbouring_addresses_spread() {
        let keyed = Keyed::default();
        for shift in [1, 2, 6, 12] {
            let hashes: Vec<u64> =
                (0..4096_u64).map(|n| keyed.hash_one(0x10_0000 + (n << shift))).collect();
            let distinct = |f: fn(u64) -> u64| {
                let all: std::collections::BTreeSet<u64> = hashes.iter().map(|h| f(*h)).collect();
                all.len()
            };
            // 4096 balls in 4096 bins leave 1507 empty on average; a standard deviation is 20.
            assert!(distinct(|h| h & 4095) > 2300, "{shift}");
            assert_eq!(distinct(|h| h >> 57), 128, "{shift}");
        }
        assert_ne!(keyed.hash_one(0_u64), Keyed::default().hash_one(0_u64));
    }
}
