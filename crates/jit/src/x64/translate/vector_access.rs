//! Unit-stride and constant-stride loads and stores: checks permissions and counts the access, then moves the data.

use super::insn_translator::InsnTranslator;
use super::{alignment, permission};
use crate::x64::asm::{Reg, Rm, Width, at};
use crate::x64::runtime::convention::BASE;
use crate::x64::vector::access;
use crate::x64::vector_plan::Operation;
use crate::x64::vector_plan::kind::Kind;
use capvec_sim::insn::Insn;
use capvec_sim::mem::PAGE;
use iced_x86::Code;

/// Translates instruction `k` if it is a load or store.
pub fn emit(t: &mut InsnTranslator<'_>, k: usize, i: &Insn, op: &Operation) {
    match op.kind {
        Kind::Load(eew) => unit(t, k, i, op, eew, false),
        Kind::Store(eew) => unit(t, k, i, op, eew, true),
        Kind::LoadStrided(eew) => strided(t, k, i, op, eew, false),
        Kind::StoreStrided(eew) => strided(t, k, i, op, eew, true),
        _ => {}
    }
}

fn unit(t: &mut InsnTranslator<'_>, k: usize, i: &Insn, op: &Operation, eew: u32, store: bool) {
    let base = t.out.x_in(i.rs1, Reg::RAX);
    permission::check_span(t, k, (i.rs1, base), op.bytes, store);
    alignment::vector(t, k, base, eew / 8);
    let v = t.vector_insn(k, i, op.state);
    t.cycles.vector_access(&mut t.out.a, &mut t.exits, &v, (op.bytes, store), base);
    access::unit(&mut t.vectors(), i, op, base, store);
}

/// The elements must span at most a page's length.
fn strided(t: &mut InsnTranslator<'_>, k: usize, i: &Insn, op: &Operation, eew: u32, store: bool) {
    let size = eew / 8;
    let fields = i.aux() as u32 + 1;
    check_strided(t, k, i, op.bytes / size, (size, fields), store);
    let v = t.vector_insn(k, i, op.state);
    t.cycles.strided_access(&mut t.out, &v, (op.bytes / size, size * fields), store);
    access::strided(&mut t.vectors(), i, op, (size, fields), store);
}

/// RAX = host address of the first of `n` segments. Leaves to the interpreter unless all of them span at most a
/// page's length and are permitted, and stored segments do not overlap, for then their order would matter.
fn check_strided(
    t: &mut InsnTranslator<'_>,
    k: usize,
    i: &Insn,
    n: u32,
    (size, fields): (u32, u32),
    store: bool,
) {
    let segment = (size * fields) as i32;
    const LOW: Reg = Reg::RDX;
    let page = PAGE as i32;
    t.out.x_to(i.rs1, Reg::RAX);
    t.out.x_to(i.rs2, Reg::RCX);
    alignment::vector(t, k, Reg::RAX, size);
    alignment::vector(t, k, Reg::RCX, size);
    let rest = t.bailout(k);
    let within = |t: &mut InsnTranslator<'_>, limit: i32| {
        t.out.a.lea(Width::Q, LOW, at(Reg::RCX, limit as i64));
        t.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(LOW), 2 * limit);
        t.out.a.jump(Code::Ja_rel32_64, rest);
    };
    // The stride first, so that the product cannot overflow.
    within(t, page);
    if store && fields > 1 {
        t.out.a.lea(Width::Q, LOW, at(Reg::RCX, segment as i64 - 1));
        t.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(LOW), 2 * segment - 2);
        t.out.a.jump(Code::Jbe_rel32_64, rest);
    }
    t.out.a.op2_imm(Code::Imul_r64_rm64_imm32, Reg::RCX, Rm::R(Reg::RCX), n as i32 - 1);
    within(t, page - segment);
    // The lowest address is that of the first or of the last element.
    t.out.a.mov_imm(LOW, 0);
    t.out.a.op2_to(Code::Test_rm64_r64, Rm::R(Reg::RCX), Reg::RCX);
    t.out.a.op2(Code::Cmovs_r64_rm64, LOW, Rm::R(Reg::RCX));
    t.out.a.op2(Code::Add_r64_rm64, LOW, Rm::R(Reg::RAX));
    permission::check_page(&mut t.out.a, LOW, store, rest);
    t.out.a.op2(Code::Add_r64_rm64, Reg::RAX, Rm::R(BASE));
}
