//! Zkne: AES encryption.

use super::alu::{alu, byte_step};
use crate::crypto::aes_scalar as aes;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu! {
    aes64es: |a, b| aes::aes64es(a, b);
    aes64esm: |a, b| aes::aes64esm(a, b);
}

pub fn aes32esi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    byte_step::<M>(h, i, aes::aes32esi)
}

pub fn aes32esmi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    byte_step::<M>(h, i, aes::aes32esmi)
}
