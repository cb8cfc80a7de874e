//! Zba, Zbb, Zbs, Zicond.

use crate::x64::asm::{Reg, Rm, Width, indexed};
use crate::x64::emit::Emitter;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use iced_x86::Code;

const Q: Width = Width::Q;
const D: Width = Width::D;
const RAX: Reg = Reg::RAX;
const RCX: Reg = Reg::RCX;
const RDX: Reg = Reg::RDX;

/// Translates the instruction if it is one of these.
pub fn emit(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    addresses(t, op, i)
        || logic(t, op, i)
        || rotate(t, op, i)
        || unary(t, op, i)
        || single(t, op, i)
        || zero(t, op, i)
}

/// Zba.
fn addresses(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let (scale, word) = match op {
        Op::Sh1add => (2, false),
        Op::Sh2add => (4, false),
        Op::Sh3add => (8, false),
        Op::AddUw => (1, true),
        Op::Sh1addUw => (2, true),
        Op::Sh2addUw => (4, true),
        Op::Sh3addUw => (8, true),
        Op::SlliUw => {
            let (a, d) = (t.x_low(i.rs1), t.target(i.rd, RAX));
            t.a.op2(Code::Mov_r32_rm32, d, a);
            t.a.imm(Code::Shl_rm64_imm8, Rm::R(d), i.imm as i32);
            t.result(i, d);
            return true;
        }
        _ => return false,
    };
    let a = if word {
        let a = t.x_low(i.rs1);
        t.a.op2(Code::Mov_r32_rm32, RAX, a);
        RAX
    } else {
        t.x_in(i.rs1, RAX)
    };
    let b = t.x_in(i.rs2, RCX);
    let d = t.target(i.rd, RAX);
    t.a.lea(Q, d, indexed(b, a, scale, 0));
    t.result(i, d);
    true
}

/// Logic with complement, minimum and maximum.
fn logic(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    match op {
        Op::Andn => {
            // ANDN complements its first source.
            let (b, a) = (t.x_in(i.rs2, RCX), t.x(i.rs1));
            let d = t.target(i.rd, RAX);
            t.a.vex(Code::VEX_Andn_r64_r64_rm64, d, b, a);
            t.result(i, d);
        }
        Op::Orn => {
            t.x_to(i.rs2, RAX);
            t.a.op1(Code::Not_rm64, RAX);
            let a = t.x(i.rs1);
            t.a.op2(Code::Or_r64_rm64, RAX, a);
            t.result(i, RAX);
        }
        Op::Xnor => {
            t.x_to(i.rs1, RAX);
            let b = t.x(i.rs2);
            t.a.op2(Code::Xor_r64_rm64, RAX, b);
            t.a.op1(Code::Not_rm64, RAX);
            t.result(i, RAX);
        }
        // Selects the second operand if it is larger (smaller).
        Op::Max => select(t, Code::Cmovl_r64_rm64, i),
        Op::Min => select(t, Code::Cmovg_r64_rm64, i),
        Op::Maxu => select(t, Code::Cmovb_r64_rm64, i),
        Op::Minu => select(t, Code::Cmova_r64_rm64, i),
        _ => return false,
    }
    true
}

/// rs1, or rs2 if the comparison of rs1 with rs2 holds.
fn select(t: &mut Emitter<'_>, code: Code, i: &Insn) {
    t.x_to(i.rs1, RAX);
    let b = t.x(i.rs2);
    t.a.op2(Code::Cmp_r64_rm64, RAX, b);
    t.a.op2(code, RAX, b);
    t.result(i, RAX);
}

fn rotate(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let (w, code) = match op {
        Op::Rol => (Q, Code::Rol_rm64_CL),
        Op::Ror => (Q, Code::Ror_rm64_CL),
        Op::Rolw => (D, Code::Rol_rm32_CL),
        Op::Rorw => (D, Code::Ror_rm32_CL),
        Op::Rori | Op::Roriw => {
            let w = if op == Op::Rori { Q } else { D };
            let code =
                if w == Q { Code::VEX_Rorx_r64_rm64_imm8 } else { Code::VEX_Rorx_r32_rm32_imm8 };
            let (a, d) = (t.x_at(w, i.rs1), t.target(i.rd, RAX));
            t.a.op2_imm(code, d, a, i.imm as i32);
            t.result_at(w, i, d);
            return true;
        }
        _ => return false,
    };
    t.x_to(i.rs2, RCX);
    t.x_to(i.rs1, RAX);
    t.a.op1(code, RAX);
    t.result_at(w, i, RAX);
    true
}

fn unary(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let (code, ws) = match op {
        Op::Clz => (Code::Lzcnt_r64_rm64, Q),
        Op::Ctz => (Code::Tzcnt_r64_rm64, Q),
        Op::Cpop => (Code::Popcnt_r64_rm64, Q),
        // Results are below 2^31: no sign to extend.
        Op::Clzw => (Code::Lzcnt_r32_rm32, D),
        Op::Ctzw => (Code::Tzcnt_r32_rm32, D),
        Op::Cpopw => (Code::Popcnt_r32_rm32, D),
        Op::SextB => (Code::Movsx_r64_rm8, Width::B),
        Op::SextH => (Code::Movsx_r64_rm16, Width::W),
        Op::ZextH => (Code::Movzx_r32_rm16, Width::W),
        Op::Rev8 => {
            let (a, d) = (t.x(i.rs1), t.target(i.rd, RAX));
            t.a.mov(d, a);
            t.a.op1(Code::Bswap_r64, d);
            t.result(i, d);
            return true;
        }
        _ => return false,
    };
    let (a, d) = (t.x_at(ws, i.rs1), t.target(i.rd, RAX));
    t.a.op2(code, d, a);
    t.result(i, d);
    // All these results are words: counts, extended bytes and extended half-words.
    t.regs.mark_word(i.rd, false);
    true
}

/// Zbs. Bit numbers count modulo 64 on both sides.
fn single(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let (reg, imm) = match op {
        Op::Bset => (Some(Code::Bts_rm64_r64), Code::INVALID),
        Op::Bclr => (Some(Code::Btr_rm64_r64), Code::INVALID),
        Op::Binv => (Some(Code::Btc_rm64_r64), Code::INVALID),
        Op::Bseti => (None, Code::Bts_rm64_imm8),
        Op::Bclri => (None, Code::Btr_rm64_imm8),
        Op::Binvi => (None, Code::Btc_rm64_imm8),
        Op::Bext => {
            let (b, a) = (t.x_in(i.rs2, RCX), t.x(i.rs1));
            t.a.vex_swapped(Code::VEX_Shrx_r64_rm64_r64, RAX, a, b);
            return extracted(t, i);
        }
        Op::Bexti => {
            t.x_to(i.rs1, RAX);
            t.a.imm(Code::Shr_rm64_imm8, Rm::R(RAX), i.imm as i32);
            return extracted(t, i);
        }
        _ => return false,
    };
    t.x_to(i.rs1, RAX);
    match reg {
        Some(code) => {
            let b = t.x_in(i.rs2, RCX);
            t.a.op2_to(code, Rm::R(RAX), b);
        }
        None => t.a.imm(imm, Rm::R(RAX), i.imm as i32),
    }
    t.result(i, RAX);
    true
}

fn extracted(t: &mut Emitter<'_>, i: &Insn) -> bool {
    t.a.imm(Code::And_rm32_imm8, Rm::R(RAX), 1);
    t.result(i, RAX);
    true
}

/// Zicond.
fn zero(t: &mut Emitter<'_>, op: Op, i: &Insn) -> bool {
    let code = match op {
        Op::CzeroEqz => Code::Cmove_r64_rm64,
        Op::CzeroNez => Code::Cmovne_r64_rm64,
        _ => return false,
    };
    let b = t.x_in(i.rs2, RCX);
    t.x_to(i.rs1, RAX);
    t.a.mov_imm(RDX, 0);
    t.a.op2_to(Code::Test_rm64_r64, Rm::R(b), b);
    t.a.op2(code, RAX, Rm::R(RDX));
    t.result(i, RAX);
    true
}
