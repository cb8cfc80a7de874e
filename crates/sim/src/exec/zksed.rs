//! Zksed: SM4.

use super::alu::byte_step;
use crate::crypto::sm4;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn sm4ed<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    byte_step::<M>(h, i, sm4::sm4ed)
}

pub fn sm4ks<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    byte_step::<M>(h, i, sm4::sm4ks)
}
