//! Keccak-p\[1600\] (FIPS 202, section 3), as the drafts of `vkeccak.vi` compose it.
//!
//! A state is 25 lanes: lane `x + 5y` is A\[x, y\] of the standard, and also element `x + 5y` of an element group.

use std::ops::Range;

/// The state.
pub type State = [u64; 25];

/// Rounds of Keccak-f\[1600\].
pub const ROUNDS: usize = 24;

/// Round constants, by the shift register of FIPS 202, algorithm 5.
pub static ROUND_CONSTANTS: [u64; ROUNDS] = round_constants();

const fn round_constants() -> [u64; ROUNDS] {
    let mut constants = [0; ROUNDS];
    let mut register = 1u8;
    let mut round = 0;
    while round < ROUNDS {
        let mut j = 0;
        while j < 7 {
            if register & 1 != 0 {
                constants[round] |= 1 << ((1u32 << j) - 1);
            }
            let high = register >> 7 != 0;
            register = register << 1 ^ if high { 0x71 } else { 0 };
            j += 1;
        }
        round += 1;
    }
    constants
}

/// The rounds of `f` with these indexes: `0..24` is Keccak-f\[1600\], and the last 12, `12..24`, are Keccak-p\[1600, 12\].
///
/// # Panics
/// If an index is above 23.
pub fn permute(state: State, rounds: Range<usize>) -> State {
    ROUND_CONSTANTS[rounds].iter().fold(state, |a, constant| round(a, *constant))
}

/// θ, ρ, π, χ and ι.
fn round(a: State, constant: u64) -> State {
    let column: [u64; 5] =
        std::array::from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let parity = |x: usize| column[(x + 4) % 5] ^ column[(x + 1) % 5].rotate_left(1);
    let theta: State = std::array::from_fn(|i| a[i] ^ parity(i % 5));
    let moved = rho_and_pi(theta);
    let mut chi: State = std::array::from_fn(|i| {
        let (x, row) = (i % 5, i - i % 5);
        moved[i] ^ !moved[row + (x + 1) % 5] & moved[row + (x + 2) % 5]
    });
    chi[0] ^= constant;
    chi
}

/// FIPS 202, algorithms 2 and 3: a walk over the lanes gives each its rotation, and π moves each to the place of the next.
fn rho_and_pi(a: State) -> State {
    let mut moved = a;
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        let lane = a[x + 5 * y];
        (x, y) = (y, (2 * x + 3 * y) % 5);
        moved[x + 5 * y] = lane.rotate_left((t + 1) * (t + 2) / 2 % 64);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_permutation_of_zero_is_the_published_one() {
        // KeccakF-1600-IntermediateValues.txt of the Keccak team: first lanes of f(0) and of f(f(0)).
        let once = permute([0; 25], 0..24);
        assert_eq!(once[..2], [0xf1258f7940e1dde7, 0x84d5ccf933c0478a]);
        assert_eq!(permute(once, 0..24)[0], 0x2d5c954df96ecb3c);
    }

    #[test]
    fn rounds_compose() {
        let state: State = std::array::from_fn(|i| i as u64);
        assert_eq!(permute(permute(state, 0..12), 12..24), permute(state, 0..24));
        assert_eq!(permute(state, 5..5), state);
    }
}
