//! Tests that the vector unit is in the state for which code was generated.

use super::insn_translator::InsnTranslator;
use crate::interface::exit::Exit;
use crate::interface::link::{Position, Site};
use crate::interface::state::State;
use crate::x64::asm::{Asm, Label, Mem, Reg, Rm};
use crate::x64::emit::Exits;
use crate::x64::runtime::convention::hart_field;
use capvec_sim::Hart;
use capvec_sim::vector::Vector;
use iced_x86::Code;
use std::mem::offset_of;

/// The memory operand of the hart's vtype.
pub fn vtype() -> Mem {
    hart_field(offset_of!(Hart, v) + offset_of!(Vector, vtype))
}

/// The memory operand of the hart's vl.
pub fn vl() -> Mem {
    hart_field(offset_of!(Hart, v) + offset_of!(Vector, vl))
}

/// The memory operand of the hart's vstart.
pub fn vstart() -> Mem {
    hart_field(offset_of!(Hart, v) + offset_of!(Vector, vstart))
}

/// At a trace's entry: switches to another variant if the vector unit is not in the state that this code is for.
pub fn enter(a: &mut Asm, exits: &mut Exits<'_>, state: Option<State>, site: Site) {
    let Some(state) = state else { return };
    let from = a.label();
    test(a, state, from);
    exits.out_of_line(move |a, exits| {
        a.bind(from);
        let stub = a.label();
        a.jump(Code::Jmp_rel32_64, stub);
        let edge = exits.edge(Site { inner: Some(Position::at(a.len() - 4)), ..site });
        a.bind(stub);
        exits.leave(a, Exit::Variant(edge));
    });
}

/// Leaves to the interpreter from instruction `k` on unless vtype and vl are these and vstart is 0.
pub fn guard(t: &mut InsnTranslator<'_>, k: usize, state: State) {
    let rest = t.bailout(k);
    test(&mut t.out.a, state, rest);
}

/// Jumps to `otherwise` unless vtype and vl are these and vstart is 0.
fn test(a: &mut Asm, state: State, otherwise: Label) {
    a.mov_imm(Reg::RAX, state.vtype.image());
    a.op2_to(Code::Cmp_rm64_r64, Rm::M(vtype()), Reg::RAX);
    a.jump(Code::Jne_rel32_64, otherwise);
    for (field, value) in [(vl(), state.vl), (vstart(), 0)] {
        a.imm(Code::Cmp_rm64_imm32, Rm::M(field), value as i32);
        a.jump(Code::Jne_rel32_64, otherwise);
    }
}
