//! Scalar loads and stores.

use super::insn_translator::InsnTranslator;
use super::{alignment, permission};
use crate::access::{Access, is_nearby};
use crate::x64::asm::{Reg, Rm, Width, indexed_at};
use crate::x64::cycles::access::At;
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
    let mut base = t.out.x_in(i.rs1, ADDR);
    let fault = permission::check(t, k, (i.rs1, base));
    alignment::scalar(t, k, (base, i.imm), access.size);
    let mut at = At { access, address: (base, i.imm), aligned: false };
    at.aligned = alignment::is_known(t, k, i.rs1, at, fault);
    let misses = t.at.step.seen.misses_loads && !is_nearby(i);
    if fault.is_none() {
        count(t, (k, misses), at);
    }
    let register = match data {
        Some(data) => t.out.in_register(data, DATA),
        None if matches!(op, Op::Fld | Op::Flw) => DATA,
        None => t.out.target(i.rd, DATA),
    };
    if data.is_none() && register == base && fault.is_some() && t.cycles.counts(at) {
        t.out.a.mov(ADDR, Rm::R(base));
        base = ADDR;
        at.address.0 = base;
    }
    let memory = indexed_at(BASE, base, i.imm);
    if let Some(to) = fault {
        t.out.a.if_faulting(to);
    }
    if is_store {
        t.out.a.op2_to(code, Rm::M(memory), register);
    } else {
        t.out.a.op2(code, register, Rm::M(memory));
        loaded(t, op, i, register);
    }
    // An access that faults is counted by the interpreter.
    if fault.is_some() {
        count(t, (k, misses), at);
    }
    true
}

/// Counts the access of instruction `k`, which often `misses`.
fn count(t: &mut InsnTranslator<'_>, (k, misses): (usize, bool), at: At) {
    t.cycles.access(&mut t.out.a, &mut t.exits, &t.vregs, (k, misses), at);
}

/// Writes what has been loaded, which is in `d`.
fn loaded(t: &mut InsnTranslator<'_>, op: Op, i: &Insn, d: Reg) {
    match op {
        Op::Fld => {
            t.out.a.store(f_slot(i.rd), d);
            t.float.wrote_double(i.rd);
        }
        Op::Flw => {
            t.out.a.imm(Code::Mov_rm64_imm32, Rm::M(f_slot(i.rd)), -1);
            t.out.a.op2_to(Code::Mov_rm32_r32, Rm::M(f_slot(i.rd)), d);
            t.float.wrote_single(i.rd);
        }
        // These results are sign-extended 32-bit values, or narrower unsigned ones.
        Op::Lb | Op::Lbu | Op::Lh | Op::Lhu | Op::Lw => t.out.result_word(i, d),
        _ => t.out.result(i, d),
    }
}
