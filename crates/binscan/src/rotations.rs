//! ChaCha, recognised by its rotations: it has no dedicated instruction, but the rotation amounts of a quarter round
//! are unique.

use crate::instruction_family::{Family, Found, NEAR};

/// Rotations of a quarter round, to the right: to the left they are 16, 12, 8 and 7 (RFC 8439, 2.1). Those of Salsa20 (7, 9,
/// 13, 18, to the left) and of BLAKE2s (16, 12, 8, 7, to the right) differ.
const CHACHA: [i64; 4] = [16, 20, 24, 25];

/// Vector rotations by constants (`vror.vi`) that are near each other.
#[derive(Default)]
pub struct Rotations(Vec<(u64, i64)>);

impl Rotations {
    /// Adds the next rotation. Those near each other are judged together.
    pub fn add(&mut self, address: u64, amount: i64, found: &mut Found) {
        if self.0.last().is_some_and(|(last, _)| address.wrapping_sub(*last) > NEAR) {
            self.end(found);
        }
        self.0.push((address, amount));
    }

    /// Reports the rotations collected so far: they are ChaCha's if they have all of its amounts and no others.
    pub fn end(&mut self, found: &mut Found) {
        let has = |amount: &i64| self.0.iter().any(|(_, a)| a == amount);
        let whole = CHACHA.iter().all(has) && self.0.iter().all(|(_, a)| CHACHA.contains(a));
        let family = if whole { Family::Chacha } else { Family::General };
        for (address, _) in self.0.drain(..) {
            found(address, "zvkb", family);
        }
    }
}
