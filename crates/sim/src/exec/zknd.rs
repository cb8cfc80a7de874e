//! Zknd: AES decryption, and the key schedule that Zkne shares.

use super::alu::{alu, byte_step, words};
use crate::crypto::aes_scalar as aes;
use crate::hart::Hart;
use crate::host::Words;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

words! {
    aes64ds(AesDecryptFinal): |a, b| aes::aes64ds(a, b);
    aes64dsm(AesDecryptMiddle): |a, b| aes::aes64dsm(a, b);
    // It has no rs2; the second operand is ignored.
    aes64im(AesMix): |a, _b| aes::aes64im(a);
}

alu! {
    aes64ks2: |a, b| aes::aes64ks2(a, b);
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
