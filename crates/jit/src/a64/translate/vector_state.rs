//! Tests the state of the vector unit.
//!
//! Code is for one vtype and vl, with vstart 0: those expected at the block's entry, or those that a vset of the block sets. The
//! first operation that depends on them tests them and keeps the outcome in `STATE_SLOT`, which later operations read. A handler that
//! executes an operation where the test fails cannot make it hold again.

use super::translator::Translator;
use crate::a64::asm::{Cond, Label, SP, Transfer, Width, ZR};
use crate::a64::registers::{FILE_SLOT, HART, STATE_SLOT, T0, T1, hart_field};
use crate::a64::vector::FILE;
use crate::interface::state::State;
use capvec_sim::Hart;
use capvec_sim::vector::Vector;
use std::mem::offset_of;

/// The offset of a field of the vector unit from `HART`.
pub fn field(offset: usize) -> i64 {
    hart_field(offset_of!(Hart, v) + offset)
}

/// `FILE` = the address of the vector registers; or jumps to `otherwise` if the hart is not in this state, or vstart is not 0.
/// Clobbers `T0` and `T1`.
pub fn test(t: &mut Translator<'_>, state: State, otherwise: Label) {
    if std::mem::replace(&mut t.vectors.tested, true) {
        t.out.a.transfer(Transfer::Ldr, FILE, SP, STATE_SLOT);
        return t.out.a.jump_if_zero(Width::X, FILE, otherwise);
    }
    if !t.vectors.entered {
        t.vectors.entry = Some(state);
    }
    let other = t.out_of_line(move |t| {
        set_holds(t, false);
        t.out.a.jump(otherwise);
    });
    let a = &mut t.out.a;
    let fields =
        [(offset_of!(Vector, vtype), state.vtype.image()), (offset_of!(Vector, vl), state.vl)];
    for (offset, expected) in fields {
        a.transfer(Transfer::Ldr, T0, HART, field(offset));
        a.compare_imm(Width::X, T0, expected as i64, T1);
        a.jump_if(Cond::Ne, other);
    }
    a.transfer(Transfer::Ldr, T0, HART, field(offset_of!(Vector, vstart)));
    a.jump_unless_zero(Width::X, T0, other);
    set_holds(t, true);
}

/// Notes whether the hart is in the state that is expected. If so, `FILE` = the address of the vector registers, which is what the
/// slot then holds.
pub fn set_holds(t: &mut Translator<'_>, holds: bool) {
    let a = &mut t.out.a;
    if holds {
        a.transfer(Transfer::Ldr, FILE, SP, FILE_SLOT);
    }
    a.transfer(Transfer::Str, if holds { FILE } else { ZR }, SP, STATE_SLOT);
}
