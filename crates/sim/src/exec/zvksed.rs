//! Zvksed: vector SM4.

use crate::crypto::sm4;
use crate::hart::Hart;
use crate::host::Step;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Source;

pub fn vsm4k_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups(i, Source::Vector, None, |_, current| sm4::key_expand(current, i.imm as u32))
}

pub fn vsm4r_vv<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups(i, Source::Vector, Some(Step::Sm4), sm4::rounds)
}

pub fn vsm4r_vs<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups(i, Source::Scalar, Some(Step::Sm4), sm4::rounds)
}
