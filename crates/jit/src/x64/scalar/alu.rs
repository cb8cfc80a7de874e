//! I and M: arithmetic, logic, shifts, multiplication.

use crate::x64::asm::{Reg, Rm, Width, at, indexed, scaled};
use crate::x64::emit::Emitter;
use crate::x64::runtime::convention::holds_guest;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const Q: Width = Width::Q;
const D: Width = Width::D;

/// Translates the instruction if it is one of these.
pub fn emit(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    if i.rd_is_x0() && op == Op::Addi {
        return true;
    }
    register(t, op, i) || immediate(t, op, i) || shift(t, op, i) || multiply(t, op, i)
}

fn register(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    match op {
        Op::Add => add(t, i),
        Op::Addw => two(t, D, Code::Add_r32_rm32, true, i),
        Op::Sub => two(t, Q, Code::Sub_r64_rm64, false, i),
        Op::Subw => two(t, D, Code::Sub_r32_rm32, false, i),
        Op::And => bitwise(t, Code::And_r64_rm64, Code::And_r32_rm32, i),
        Op::Or => bitwise(t, Code::Or_r64_rm64, Code::Or_r32_rm32, i),
        Op::Xor => bitwise(t, Code::Xor_r64_rm64, Code::Xor_r32_rm32, i),
        Op::Mul => two(t, Q, Code::Imul_r64_rm64, true, i),
        Op::Mulw => two(t, D, Code::Imul_r32_rm32, true, i),
        Op::Slt => set(t, Code::Setl_rm8, i),
        Op::Sltu => set(t, Code::Setb_rm8, i),
        _ => return false,
    }
    true
}

/// Bitwise operations on two sign-extended words give a sign-extended word.
fn bitwise(t: &mut Emitter<'_>, code: Code, low: Code, i: &Insn) {
    if !(t.regs.has_word(i.rs1) && t.regs.has_word(i.rs2)) {
        two(t, Q, code, true, i);
    } else if t.regs.is_lazy(i.rs1) || t.regs.is_lazy(i.rs2) {
        two(t, D, low, true, i);
    } else {
        two(t, Q, code, true, i);
        t.regs.mark_word(i.rd, false);
    }
}

/// `rd = rs1 op rs2` with an x86 instruction that overwrites its first operand.
fn two(t: &mut Emitter<'_>, w: Width, code: Code, commutes: bool, i: &Insn) {
    let (mut a, mut b) = (t.x_at(w, i.rs1), t.x_at(w, i.rs2));
    let mut d = t.target(i.rd, Reg::RAX);
    if b == Rm::R(d) && commutes {
        (a, b) = (b, a);
    }
    if b == Rm::R(d) && a != b {
        d = Reg::RAX;
    }
    t.a.mov(d, a);
    t.a.op2(code, d, b);
    t.result_at(w, i, d);
}

/// `rd` = x register `x`.
fn copy(t: &mut Emitter<'_>, i: &Insn, x: u8) {
    let (word, lazy) = (t.regs.has_word(x), t.regs.is_lazy(x));
    let a = t.x_low(x);
    let d = t.target(i.rd, Reg::RAX);
    t.a.mov(d, a);
    if lazy && !holds_guest(d) {
        return t.result_w(i, d);
    }
    t.result(i, d);
    if word {
        t.regs.mark_word(i.rd, lazy);
    }
}

fn add(t: &mut Emitter<'_>, i: &Insn) {
    let (a, b) = (t.x(i.rs1), t.x(i.rs2));
    if i.rs1 == 0 {
        return copy(t, i, i.rs2);
    }
    let (Rm::R(p), Rm::R(q)) = (a, b) else {
        return two(t, Q, Code::Add_r64_rm64, true, i);
    };
    let d = t.target(i.rd, Reg::RAX);
    if d == p || d == q {
        t.a.op2(Code::Add_r64_rm64, d, if d == p { b } else { a });
    } else {
        t.a.lea(Q, d, indexed(p, q, 1, 0));
    }
    t.result(i, d);
}

/// `rd` = whether the comparison of rs1 with rs2 holds.
fn set(t: &mut Emitter<'_>, code: Code, i: &Insn) {
    let a = t.x_in(i.rs1, Reg::RAX);
    let b = t.x(i.rs2);
    t.a.op2(Code::Cmp_r64_rm64, a, b);
    flag(t, code, i);
}

/// `rd` = a condition.
fn flag(t: &mut Emitter<'_>, code: Code, i: &Insn) {
    t.a.op1(code, Reg::RAX);
    let d = t.target(i.rd, Reg::RAX);
    t.a.op2(Code::Movzx_r32_rm8, d, Rm::R(Reg::RAX));
    t.result_word(i, d);
}

fn immediate(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    match op {
        Op::Addi => addi(t, i),
        Op::Addiw => addiw(t, i),
        Op::Andi | Op::Ori | Op::Xori => logic(t, op, i),
        Op::Slti => set_imm(t, Code::Setl_rm8, i),
        Op::Sltiu => set_imm(t, Code::Setb_rm8, i),
        Op::Lui | Op::Auipc => constant(t, i),
        _ => return false,
    }
    true
}

fn constant(t: &mut Emitter<'_>, i: &Insn) {
    let d = t.target(i.rd, Reg::RAX);
    t.a.mov_imm(d, i.imm as u64);
    t.result(i, d);
    if i32::try_from(i.imm).is_ok() {
        t.regs.mark_word(i.rd, false);
    }
}

fn addi(t: &mut Emitter<'_>, i: &Insn) {
    if i.rs1 == 0 {
        return constant(t, i);
    }
    if i.imm == 0 {
        return copy(t, i, i.rs1);
    }
    let a = t.x(i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    match a {
        Rm::R(a) if a != d => t.a.lea(Q, d, at(a, i.imm)),
        a => {
            t.a.mov(d, a);
            t.a.imm(Code::Add_rm64_imm32, Rm::R(d), i.imm as i32);
        }
    }
    t.result(i, d);
}

fn addiw(t: &mut Emitter<'_>, i: &Insn) {
    if i.imm == 0 {
        if t.regs.has_word(i.rs1) {
            return copy(t, i, i.rs1);
        }
        let a = t.x_low(i.rs1);
        let d = t.target(i.rd, Reg::RAX);
        t.a.op2(Code::Movsxd_r64_rm32, d, a);
        return t.result_word(i, d);
    }
    let a = t.x_low(i.rs1);
    let a = t.in_register(a, Reg::RAX);
    let d = t.target(i.rd, Reg::RAX);
    t.a.lea(D, d, at(a, i.imm));
    t.result_w(i, d);
}

fn logic(t: &mut Emitter<'_>, op: Op, i: &Insn) {
    let imm = i.imm as i32;
    let bytes = match (op, imm) {
        (Op::Andi, 0xff) => Some(Code::Movzx_r32_rm8),
        (Op::Andi, 0xffff) => Some(Code::Movzx_r32_rm16),
        _ => None,
    };
    // A non-negative mask clears the upper half.
    if op == Op::Andi && imm >= 0 {
        let a = t.x_low(i.rs1);
        let d = t.target(i.rd, Reg::RAX);
        match bytes {
            Some(code) => t.a.op2(code, d, a),
            None => {
                t.a.mov(d, a);
                t.a.imm(Code::And_rm32_imm32, Rm::R(d), imm);
            }
        }
        return t.result_word(i, d);
    }
    let (code, low) = match op {
        Op::Andi => (Code::And_rm64_imm32, Code::And_rm32_imm32),
        Op::Ori => (Code::Or_rm64_imm32, Code::Or_rm32_imm32),
        _ => (Code::Xor_rm64_imm32, Code::Xor_rm32_imm32),
    };
    let (word, lazy) = (t.regs.has_word(i.rs1), t.regs.is_lazy(i.rs1));
    let (w, code) = if lazy { (D, low) } else { (Q, code) };
    let a = t.x_at(w, i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    t.a.mov(d, a);
    t.a.imm(code, Rm::R(d), imm);
    t.result_at(w, i, d);
    if word && !lazy {
        t.regs.mark_word(i.rd, false);
    }
}

fn set_imm(t: &mut Emitter<'_>, code: Code, i: &Insn) {
    let a = t.x(i.rs1);
    t.a.imm(Code::Cmp_rm64_imm32, a, i.imm as i32);
    flag(t, code, i);
}

/// Both architectures take shift amounts modulo the width.
fn shift(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    match op {
        Op::Sll => by_register(t, Q, Code::VEX_Shlx_r64_rm64_r64, i),
        Op::Srl => by_register(t, Q, Code::VEX_Shrx_r64_rm64_r64, i),
        Op::Sra => by_register(t, Q, Code::VEX_Sarx_r64_rm64_r64, i),
        Op::Sllw => by_register(t, D, Code::VEX_Shlx_r32_rm32_r32, i),
        Op::Srlw => by_register(t, D, Code::VEX_Shrx_r32_rm32_r32, i),
        Op::Sraw => by_register(t, D, Code::VEX_Sarx_r32_rm32_r32, i),
        Op::Slli => by_constant(t, Q, Code::Shl_rm64_imm8, i),
        Op::Srli => by_constant(t, Q, Code::Shr_rm64_imm8, i),
        Op::Srai => by_constant(t, Q, Code::Sar_rm64_imm8, i),
        Op::Slliw => by_constant(t, D, Code::Shl_rm32_imm8, i),
        Op::Srliw => srliw(t, i),
        Op::Sraiw => sraiw(t, i),
        _ => return false,
    }
    true
}

fn by_register(t: &mut Emitter<'_>, w: Width, code: Code, i: &Insn) {
    let b = t.x_low(i.rs2);
    let b = t.in_register(b, Reg::RCX);
    let a = t.x_at(w, i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    t.a.vex_swapped(code, d, a, b);
    t.result_at(w, i, d);
}

fn by_constant(t: &mut Emitter<'_>, w: Width, code: Code, i: &Insn) {
    let a = t.x_at(w, i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    if let (Rm::R(a), 1..=3) = (a, i.imm)
        && a != d
        && matches!(code, Code::Shl_rm64_imm8 | Code::Shl_rm32_imm8)
    {
        let m = if i.imm == 1 { indexed(a, a, 1, 0) } else { scaled(a, 1 << i.imm) };
        t.a.lea(w, d, m);
        return t.result_at(w, i, d);
    }
    t.a.mov(d, a);
    t.a.imm(code, Rm::R(d), i.imm as i32);
    t.result_at(w, i, d);
}

/// A shift by more than 0 clears the sign bit, so the result is zero-extended.
fn srliw(t: &mut Emitter<'_>, i: &Insn) {
    if i.imm == 0 {
        return by_constant(t, D, Code::Shr_rm32_imm8, i);
    }
    let a = t.x_low(i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    if a != Rm::R(d) {
        t.a.op2(Code::Mov_r32_rm32, d, a);
    }
    t.a.imm(Code::Shr_rm32_imm8, Rm::R(d), i.imm as i32);
    t.result_word(i, d);
}

fn sraiw(t: &mut Emitter<'_>, i: &Insn) {
    let a = t.x_low(i.rs1);
    let d = t.target(i.rd, Reg::RAX);
    if a != Rm::R(d) {
        t.a.op2(Code::Mov_r32_rm32, d, a);
    }
    t.a.imm(Code::Sar_rm32_imm8, Rm::R(d), i.imm as i32);
    t.result_w(i, d);
}

/// High halves of products. `mulhsu` is too rare to translate.
fn multiply(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let code = match op {
        Op::Mulh => Code::Imul_rm64,
        Op::Mulhu => Code::Mul_rm64,
        _ => return false,
    };
    let b = t.x(i.rs2);
    t.x_to(i.rs1, Reg::RAX);
    t.a.op1_rm(code, b);
    t.result(i, Reg::RDX);
    true
}
