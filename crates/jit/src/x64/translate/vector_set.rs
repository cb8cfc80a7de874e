//! vset{i}vl{i}.

use super::insn_translator::InsnTranslator;
use super::vector_state::{self, vl, vstart, vtype};
use crate::interface::vset::{Avl, Set};
use crate::x64::asm::{Reg, Rm};
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// Translates the instruction. If `certain`, the vector state before it needs no test.
pub fn emit(t: &mut InsnTranslator<'_>, k: usize, i: &Insn, set: Set, certain: bool) {
    if let (Some(before), false) = (set.needs, certain) {
        vector_state::guard(t, k, before);
    }
    test(t, k, i, set.avl);
    t.out.a.mov_imm(Reg::RCX, set.vtype.image());
    t.out.a.store(vtype(), Reg::RCX);
    t.out.a.imm(Code::Mov_rm64_imm32, Rm::M(vl()), set.vl as i32);
    t.out.a.imm(Code::Mov_rm64_imm32, Rm::M(vstart()), 0);
    if !i.rd_is_x0() {
        let d = t.out.target(i.rd, Reg::RAX);
        t.out.a.mov_imm(d, set.vl);
        t.out.result(i, d);
    }
}

/// Continues in the interpreter if rs1 would give a different vl.
fn test(t: &mut InsnTranslator<'_>, k: usize, i: &Insn, avl: Avl) {
    let (expected, otherwise) = match avl {
        Avl::Any => return,
        Avl::AtLeast(vl) => (vl, Code::Jb_rel32_64),
        Avl::Exactly(vl) => (vl, Code::Jne_rel32_64),
    };
    let x = t.out.x(i.rs1);
    t.out.a.imm(Code::Cmp_rm64_imm32, x, expected as i32);
    let rest = t.bailout(k);
    t.out.a.jump(otherwise, rest);
}
