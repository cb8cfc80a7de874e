//! `vkeccak.vi` of the prototype of 2024: the immediate is the number of rounds, which begin with round 0.

use crate::crypto::keccak::ROUNDS;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn vkeccak_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    // The prototype has round constants for 24 rounds only.
    if i.imm as usize > ROUNDS {
        return h.illegal("more than 24 rounds");
    }
    h.v_keccak_groups(i, 0..i.imm as usize)
}
