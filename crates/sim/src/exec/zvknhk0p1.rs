//! `vkeccak.vi` of Zvknhk 0.1: one group, whatever vl and LMUL are.

use crate::crypto::keccak::ROUNDS;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use std::ops::Range;

pub fn vkeccak_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let rounds = rounds(h, i)?;
    h.v_keccak_fixed(i, rounds)
}

/// The rounds that the immediate selects: all 24, or the last 12. Other values are reserved.
pub fn rounds(h: &mut Hart, i: &Insn) -> Exec<Range<usize>> {
    match i.imm {
        0 => Ok(0..ROUNDS),
        1 => Ok(12..ROUNDS),
        _ => h.illegal("the immediate is neither 0 nor 1").map(|()| 0..0),
    }
}
