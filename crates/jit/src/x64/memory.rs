//! Loads and stores.
//!
//! The table of permissions (`capvec_sim::mem::table`) lies before the guest's space, so one register leads
//! to both. The bit for "this page and the next" lets any access of up to a page pass; where it is not set,
//! the slow path passes accesses that stay within the page, and the handler judges the rest and traps.

use super::asm::{Label, Reg, Rm, Width, at, indexed};
use super::regs::{BASE, Regs};
use super::translate::Translator;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use capvec_sim::mem::{PAGE, table};
use iced_x86::Code;

/// The address of an access.
const ADDR: Reg = Reg::RAX;
/// Its page.
const NUMBER: Reg = Reg::RCX;
/// Data on the way to or from memory.
const DATA: Reg = Reg::RDX;

/// How to load.
#[derive(Clone, Copy)]
struct Load {
    code: Code,
    to: Width,
    size: u64,
}

fn load(op: Op) -> Option<Load> {
    let (code, to, size) = match op {
        Op::Lb => (Code::Movsx_r64_rm8, Width::Q, 1),
        Op::Lbu => (Code::Movzx_r32_rm8, Width::D, 1),
        Op::Lh => (Code::Movsx_r64_rm16, Width::Q, 2),
        Op::Lhu => (Code::Movzx_r32_rm16, Width::D, 2),
        Op::Lw => (Code::Movsxd_r64_rm32, Width::Q, 4),
        Op::Lwu => (Code::Mov_r32_rm32, Width::D, 4),
        Op::Ld | Op::Fld => (Code::Mov_r64_rm64, Width::Q, 8),
        _ => return None,
    };
    Some(Load { code, to, size })
}

fn store(op: Op) -> Option<(Code, Width, u64)> {
    Some(match op {
        Op::Sb => (Code::Mov_rm8_r8, Width::B, 1),
        Op::Sh => (Code::Mov_rm16_r16, Width::W, 2),
        Op::Sw => (Code::Mov_rm32_r32, Width::D, 4),
        Op::Sd | Op::Fsd => (Code::Mov_rm64_r64, Width::Q, 8),
        _ => return None,
    })
}

/// The way of an access that the fast test did not pass. ADDR and NUMBER hold its address and page.
pub struct Slow<'a> {
    from: Label,
    /// The access itself.
    access: Label,
    /// Behind it.
    done: Label,
    size: u64,
    need: u8,
    insn: usize,
    /// At the access.
    before: Regs<'a>,
    /// At `done`.
    after: Regs<'a>,
    /// x register that the handler writes.
    changed: Option<u8>,
}

/// Translates it, if it is a load or store.
pub fn emit(t: &mut Translator<'_>, op: Op, k: usize, i: &Insn) -> bool {
    if let Some(l) = load(op) {
        emit_load(t, op, k, i, l);
    } else if let Some((code, w, size)) = store(op) {
        let data = if op == Op::Fsd { t.f(i.rs2) } else { t.x(i.rs2) };
        address(t, i);
        let slow = check(t, k, size, (table::WRITE, table::WRITE_ACROSS));
        let data = match data {
            Rm::R(r) => r,
            m => {
                t.a.mov(DATA, m);
                DATA
            }
        };
        t.a.op2_to(code, w, Rm::M(indexed(BASE, ADDR, 1, 0)), data);
        finish(t, slow, None);
    } else {
        return false;
    }
    true
}

fn emit_load(t: &mut Translator<'_>, op: Op, k: usize, i: &Insn, l: Load) {
    address(t, i);
    let to_x = op != Op::Fld;
    // Before the state is noted, since this may store what another register held.
    let d = if to_x { t.target(i.rd, DATA) } else { DATA };
    let slow = check(t, k, l.size, (table::READ, table::READ_ACROSS));
    t.a.op2(l.code, l.to, d, Rm::M(indexed(BASE, ADDR, 1, 0)));
    if to_x {
        t.regs.write(&mut t.a, i.rd, d);
    } else {
        let f = t.f(i.rd);
        t.a.op2_to(Code::Mov_rm64_r64, Width::Q, f, d);
    }
    finish(t, slow, to_x.then_some(i.rd));
}

/// Computes the address.
fn address(t: &mut Translator<'_>, i: &Insn) {
    let base = t.x_in(i.rs1, ADDR);
    if i.imm != 0 {
        t.a.lea(Width::Q, ADDR, at(base, i.imm));
    } else {
        t.a.mov(ADDR, Rm::R(base));
    }
}

/// Tests the permission; the access itself follows.
fn check<'a>(t: &mut Translator<'a>, insn: usize, size: u64, bits: (u8, u8)) -> Slow<'a> {
    let (from, access, done) = (t.a.label(), t.a.label(), t.a.label());
    let before = t.regs;
    t.a.mov(NUMBER, Rm::R(ADDR));
    t.a.imm(Code::Shr_rm64_imm8, Width::Q, Rm::R(NUMBER), PAGE.trailing_zeros() as i32);
    t.a.imm(Code::Cmp_rm64_imm32, Width::Q, Rm::R(NUMBER), table::TABLE as i32);
    t.a.jump(Code::Jae_rel32_64, from);
    // A single byte does not cross.
    test(t, if size == 1 { bits.0 } else { bits.1 });
    t.a.jump(Code::Je_rel32_64, from);
    t.a.bind(access);
    let need = bits.0;
    Slow { from, access, done, size, need, insn, before, after: before, changed: None }
}

fn test(t: &mut Translator<'_>, bits: u8) {
    let entry = indexed(BASE, NUMBER, 1, -(table::TABLE as i64));
    t.a.imm(Code::Test_rm8_imm8, Width::B, Rm::M(entry), bits as i32);
}

fn finish<'a>(t: &mut Translator<'a>, mut slow: Slow<'a>, changed: Option<u8>) {
    t.a.bind(slow.done);
    (slow.after, slow.changed) = (t.regs, changed);
    t.slow(slow);
}

/// The slow path.
pub fn emit_slow<'a>(t: &mut Translator<'a>, s: Slow<'a>) {
    let handler = t.a.label();
    t.a.bind(s.from);
    if s.size > 1 {
        t.a.imm(Code::Cmp_rm64_imm32, Width::Q, Rm::R(NUMBER), table::TABLE as i32);
        t.a.jump(Code::Jae_rel32_64, handler);
        test(t, s.need);
        t.a.jump(Code::Je_rel32_64, handler);
        t.a.op2(Code::Mov_r32_rm32, Width::D, NUMBER, Rm::R(ADDR));
        t.a.imm(Code::And_rm32_imm32, Width::D, Rm::R(NUMBER), PAGE as i32 - 1);
        t.a.imm(Code::Cmp_rm32_imm32, Width::D, Rm::R(NUMBER), (PAGE - s.size) as i32);
        t.a.jump(Code::Jbe_rel32_64, s.access);
    }
    t.a.bind(handler);
    let mut regs = s.before;
    regs.spill(&mut t.a);
    let trap = t.trap(s.insn);
    let block = t.block;
    t.call_handler(&block.insns[s.insn], trap);
    regs.called(s.changed);
    regs.restore(&mut t.a, &s.after);
    t.a.jump(Code::Jmp_rel32_64, s.done);
}
