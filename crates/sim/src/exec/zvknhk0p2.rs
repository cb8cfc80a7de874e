//! `vkeccak.vi` of Zvknhk 0.2: element groups by vl and vstart, but one fixed group at VLEN 128, where even LMUL 8 is too
//! small for a group.

use super::zvknhk0p1::rounds;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn vkeccak_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let rounds = rounds(h, i)?;
    if h.v.vlen() == 128 { h.v_keccak_fixed(i, rounds) } else { h.v_keccak_groups(i, rounds) }
}
