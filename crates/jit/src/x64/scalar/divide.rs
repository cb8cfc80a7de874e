//! M: division. Where the host traps (a divisor of zero, a quotient that does not fit), RISC-V defines the result
//! (unprivileged manual, "M", "Division Operations").

use crate::x64::asm::{Reg, Rm, Width, at};
use crate::x64::emit::Emitter;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// The dividend, then the quotient.
const RAX: Reg = Reg::RAX;
/// The divisor.
const RCX: Reg = Reg::RCX;
/// The upper half of the dividend, then the remainder.
const RDX: Reg = Reg::RDX;

/// A division.
struct Division {
    width: Width,
    signed: bool,
    remainder: bool,
}

/// Translates the instruction if it is one of these.
pub fn emit(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let of = |width, signed, remainder| Division { width, signed, remainder };
    let d = match op {
        Op::Div => of(Width::Q, true, false),
        Op::Divu => of(Width::Q, false, false),
        Op::Rem => of(Width::Q, true, true),
        Op::Remu => of(Width::Q, false, true),
        Op::Divw => of(Width::D, true, false),
        Op::Divuw => of(Width::D, false, false),
        Op::Remw => of(Width::D, true, true),
        Op::Remuw => of(Width::D, false, true),
        _ => return false,
    };
    if i.rd_is_x0() {
        return true;
    }
    operands(t, &d, i);
    let (special, done) = (t.a.label(), t.a.label());
    check(t, &d);
    t.a.jump(Code::Jbe_rel32_64, special);
    divide(t, &d);
    t.a.jump(Code::Jmp_rel32_64, done);
    t.a.bind(special);
    defined(t, &d);
    t.a.bind(done);
    t.result_at(d.width, i, if d.remainder { RDX } else { RAX });
    true
}

fn operands(t: &mut Emitter<'_>, d: &Division, i: &Insn) {
    let load = if d.width == Width::Q { Code::Mov_r64_rm64 } else { Code::Mov_r32_rm32 };
    let divisor = t.x_at(d.width, i.rs2);
    t.a.op2(load, RCX, divisor);
    let dividend = t.x_at(d.width, i.rs1);
    t.a.op2(load, RAX, dividend);
}

/// Sets the flags to "below or equal" if the divisor is 0, or, in a signed division, −1.
fn check(t: &mut Emitter<'_>, d: &Division) {
    let compare = if d.width == Width::Q { Code::Cmp_rm64_imm32 } else { Code::Cmp_rm32_imm32 };
    if d.signed {
        t.a.lea(d.width, RDX, at(RCX, 1));
        t.a.imm(compare, Rm::R(RDX), 1);
    } else {
        t.a.imm(compare, Rm::R(RCX), 0);
    }
}

fn divide(t: &mut Emitter<'_>, d: &Division) {
    let (idiv, div, load, sign) = match d.width {
        Width::Q => (Code::Idiv_rm64, Code::Div_rm64, Code::Mov_r64_rm64, Code::Sar_rm64_imm8),
        _ => (Code::Idiv_rm32, Code::Div_rm32, Code::Mov_r32_rm32, Code::Sar_rm32_imm8),
    };
    if d.signed {
        t.a.op2(load, RDX, Rm::R(RAX));
        t.a.imm(sign, Rm::R(RDX), if d.width == Width::Q { 63 } else { 31 });
        t.a.op1(idiv, RCX);
    } else {
        t.a.op2(Code::Xor_r32_rm32, RDX, Rm::R(RDX));
        t.a.op1(div, RCX);
    }
}

/// The results for a divisor of 0 or −1. By 0, the quotient has all bits set, and the remainder is the dividend. By −1,
/// the quotient is the dividend negated, modulo the width, and the remainder is 0.
fn defined(t: &mut Emitter<'_>, d: &Division) {
    if d.remainder {
        // The dividend, and 0 unless the divisor is 0.
        t.a.mov(RDX, Rm::R(RAX));
        if d.signed {
            t.a.op2(Code::Xor_r32_rm32, RAX, Rm::R(RAX));
            t.a.op2_to(Code::Test_rm64_r64, Rm::R(RCX), RCX);
            t.a.op2(Code::Cmovne_r64_rm64, RDX, Rm::R(RAX));
        }
    } else {
        if d.signed {
            t.a.op1_rm(Code::Neg_rm64, Rm::R(RAX));
            // All ones, or the dividend negated unless the divisor is 0.
            t.a.imm(Code::Mov_rm64_imm32, Rm::R(RDX), -1);
            t.a.op2_to(Code::Test_rm64_r64, Rm::R(RCX), RCX);
            t.a.op2(Code::Cmove_r64_rm64, RAX, Rm::R(RDX));
        } else {
            t.a.imm(Code::Mov_rm64_imm32, Rm::R(RAX), -1);
        }
    }
}
