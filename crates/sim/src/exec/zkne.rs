//! Zkne: AES encryption.

use super::alu::{byte_step, words};
use crate::crypto::aes_scalar as aes;
use crate::hart::Hart;
use crate::host::Words;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

words! {
    aes64es(AesEncryptFinal): |a, b| aes::aes64es(a, b);
    aes64esm(AesEncryptMiddle): |a, b| aes::aes64esm(a, b);
}

pub fn aes32esi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    byte_step::<M>(h, i, aes::aes32esi)
}

pub fn aes32esmi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    byte_step::<M>(h, i, aes::aes32esmi)
}
