//! Zksed: SM4.

use super::alu::sext_w;
use crate::crypto::sm4;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// The immediate is `bs`, the byte of rs2 to work on.
fn step<M: Mode>(h: &mut Hart, i: &Insn, f: fn(u32, u32, u32) -> u32) -> Exec {
    let word = f(h.x(i.rs1) as u32, h.x(i.rs2) as u32, i.imm as u32);
    h.set_x::<M>(i.rd, sext_w(word as u64));
    Ok(())
}

pub fn sm4ed<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    step::<M>(h, i, sm4::sm4ed)
}

pub fn sm4ks<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    step::<M>(h, i, sm4::sm4ks)
}
