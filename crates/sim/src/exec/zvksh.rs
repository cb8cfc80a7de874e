//! Zvksh: vector SM3.

use crate::crypto::sm3;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Source;

/// vd may be vs1, the older message words, but not overlap vs2.
pub fn vsm3me_vv<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let sources = [Source::Disjoint, Source::Vector];
    h.v_groups3(i, sources, None, |_, vs2, vs1| sm3::message_expand(vs1, vs2))
}

pub fn vsm3c_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_groups(i, Source::Disjoint, None, |state, message| {
        sm3::compress2(state, message, i.imm as u32)
    })
}
