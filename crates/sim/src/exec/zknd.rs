//! Zknd: AES decryption, and the key schedule that Zkne shares.

use super::alu::{alu, alu_unary, byte_step};
use crate::crypto::aes_scalar as aes;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu! {
    aes64ds: |a, b| aes::aes64ds(a, b);
    aes64dsm: |a, b| aes::aes64dsm(a, b);
    aes64ks2: |a, b| aes::aes64ks2(a, b);
}

alu_unary! {
    aes64im: |a| aes::aes64im(a);
}

pub fn aes64ks1i<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let Some(words) = aes::aes64ks1i(h.x(i.rs1), i.imm as u32) else {
        return h.illegal("aes64ks1i with a round number above 10");
    };
    h.set_x::<M>(i.rd, words);
    Ok(())
}

pub fn aes32dsi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    byte_step::<M>(h, i, aes::aes32dsi)
}

pub fn aes32dsmi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    byte_step::<M>(h, i, aes::aes32dsmi)
}
