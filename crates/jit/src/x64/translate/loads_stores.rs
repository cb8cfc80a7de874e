//! Scalar loads and stores.

use super::insn_translator::InsnTranslator;
use super::{alignment, permission};
use crate::access::{Access, is_nearby};
use crate::x64::asm::{Reg, Rm, Width, indexed_at};
use crate::x64::runtime::convention::{BASE, f_slot};
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// The access's base, unless another host register holds it.
const ADDR: Reg = Reg::RAX;
/// Data on the way to or from memory.
const DATA: Reg = Reg::RDX;

/// The host instruction that loads or stores, and the width of its register operand.
fn code(op: Op) -> Option<(Code, Width)> {
    Some(match op {
        Op::Lb => (Code::Movsx_r64_rm8, Width::Q),
        Op::Lbu => (Code::Movzx_r32_rm8, Width::D),
        Op::Lh => (Code::Movsx_r64_rm16, Width::Q),
        Op::Lhu => (Code::Movzx_r32_rm16, Width::D),
        Op::Lw => (Code::Movsxd_r64_rm32, Width::Q),
        Op::Lwu | Op::Flw => (Code::Mov_r32_rm32, Width::D),
        Op::Ld | Op::Fld => (Code::Mov_r64_rm64, Width::Q),
        Op::Sb => (Code::Mov_rm8_r8, Width::B),
        Op::Sh => (Code::Mov_rm16_r16, Width::W),
        Op::Sw | Op::Fsw => (Code::Mov_rm32_r32, Width::D),
        Op::Sd | Op::Fsd => (Code::Mov_rm64_r64, Width::Q),
        _ => return None,
    })
}

/// Translates a load or store.
pub fn emit(t: &mut InsnTranslator<'_>, op: Op, k: usize, i: &Insn) -> bool {
    let (Some(access), Some((code, width))) = (Access::of(op), code(op)) else { return false };
    let is_store = access.is_store();
    let data = match op {
        Op::Fsw | Op::Fsd => Some(Rm::M(f_slot(i.rs2))),
        _ if is_store && width != Width::Q => Some(t.out.x_low(i.rs2)),
        _ if is_store => Some(t.out.x(i.rs2)),
        _ => None,
    };
    let base = t.out.x_in(i.rs1, ADDR);
    permission::check(t, k, (i.rs1, base));
    alignment::scalar(t, k, (base, i.imm), access.size);
    let at = (k, t.at.step.misses && !is_nearby(i));
    let (base, offset) =
        t.cycles.access(&mut t.out.a, &mut t.exits, &t.vregs, at, access, (base, i.imm));
    let memory = indexed_at(BASE, base, offset);
    if let Some(data) = data {
        let data = match data {
            Rm::R(r) => r,
            m => {
                t.out.a.mov(DATA, m);
                DATA
            }
        };
        t.out.a.op2_to(code, Rm::M(memory), data);
    } else if op == Op::Fld {
        t.out.a.mov(DATA, Rm::M(memory));
        t.out.a.store(f_slot(i.rd), DATA);
        t.float.wrote_double(i.rd);
    } else if op == Op::Flw {
        t.out.a.op2(code, DATA, Rm::M(memory));
        t.out.a.imm(Code::Mov_rm64_imm32, Rm::M(f_slot(i.rd)), -1);
        t.out.a.op2_to(Code::Mov_rm32_r32, Rm::M(f_slot(i.rd)), DATA);
        t.float.wrote_single(i.rd);
    } else {
        let d = t.out.target(i.rd, DATA);
        t.out.a.op2(code, d, Rm::M(memory));
        t.out.result(i, d);
        // These results are sign-extended 32-bit values, or narrower unsigned ones.
        if matches!(op, Op::Lb | Op::Lbu | Op::Lh | Op::Lhu | Op::Lw) {
            t.out.regs.mark_word(i.rd, false);
        }
    }
    true
}
