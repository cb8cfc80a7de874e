//! I: arithmetic, logic, shifts.

use crate::a64::asm::{Cond, Op3, OpField, OpMask, OpSelect, Width, ZR, field, op3, select};
use crate::a64::emitter::Emitter;
use crate::a64::registers::{T0, T1, T2};
use capvec_isa::Op;
use capvec_sim::insn::Insn;

const W: Width = Width::W;
const X: Width = Width::X;

/// Translates the instruction if it is one of these.
pub fn emit(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    if i.rd_is_x0() && op == Op::Addi {
        return true;
    }
    register(t, op, i) || immediate(t, op, i) || shift(t, op, i)
}

fn register(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    // Both architectures take shift amounts modulo the width.
    let (w, code) = match op {
        Op::Add => (X, Op3::Add),
        Op::Addw => (W, Op3::Add),
        Op::Sub => (X, Op3::Sub),
        Op::Subw => (W, Op3::Sub),
        Op::And => (X, Op3::And),
        Op::Or => (X, Op3::Orr),
        Op::Xor => (X, Op3::Eor),
        Op::Sll => (X, Op3::Lsl),
        Op::Sllw => (W, Op3::Lsl),
        Op::Srl => (X, Op3::Lsr),
        Op::Srlw => (W, Op3::Lsr),
        Op::Sra => (X, Op3::Asr),
        Op::Sraw => (W, Op3::Asr),
        Op::Slt | Op::Sltu => {
            let w = t.compared(i.rs1, i.rs2);
            let (a, b) = (t.x_at(w, i.rs1, T0), t.x_at(w, i.rs2, T1));
            t.a.compare(w, a, b);
            set(t, if op == Op::Slt { Cond::Lt } else { Cond::Lo }, i);
            return true;
        }
        _ => return false,
    };
    match code {
        Op3::And | Op3::Orr | Op3::Eor => bitwise(t, code, i),
        _ => two(t, code, w, i),
    }
    true
}

/// Bitwise operations on two sign-extended words give a sign-extended word.
pub fn bitwise(t: &mut Emitter, code: Op3, i: &Insn) {
    if !(t.is_word(i.rs1) && t.is_word(i.rs2)) {
        return two(t, code, X, i);
    }
    let lazy = t.is_lazy(i.rs1) || t.is_lazy(i.rs2);
    let (a, b, d) = (t.x_low(i.rs1, T0), t.x_low(i.rs2, T1), t.target(i.rd, T0));
    t.a.put(op3(code, X, d, a, b));
    if lazy { t.wrote_w(i.rd, d) } else { t.wrote_word(i.rd, d) }
}

/// `rd = rs1 op rs2`.
pub fn two(t: &mut Emitter, code: Op3, w: Width, i: &Insn) {
    let (a, b, d) = (t.x_at(w, i.rs1, T0), t.x_at(w, i.rs2, T1), t.target(i.rd, T0));
    t.a.put(op3(code, w, d, a, b));
    t.wrote_at(w, i.rd, d);
}

/// `rd` = a condition.
fn set(t: &mut Emitter, cond: Cond, i: &Insn) {
    let d = t.target(i.rd, T0);
    t.a.put(select(OpSelect::Csinc, X, d, ZR, ZR, cond.opposite()));
    t.wrote_word(i.rd, d);
}

fn immediate(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    match op {
        Op::Lui | Op::Auipc => constant(t, i),
        Op::Addi | Op::Addiw if i.rs1 == 0 => constant(t, i),
        Op::Addi | Op::Addiw => add(t, op, i),
        Op::Andi | Op::Ori | Op::Xori => logic(t, op, i),
        Op::Slti | Op::Sltiu => {
            // The immediate is a sign-extended word.
            let w = t.compared(i.rs1, 0);
            let a = t.x_at(w, i.rs1, T0);
            t.a.compare_imm(w, a, i.imm, T2);
            set(t, if op == Op::Slti { Cond::Lt } else { Cond::Lo }, i);
        }
        _ => return false,
    }
    true
}

fn constant(t: &mut Emitter, i: &Insn) {
    let d = t.target(i.rd, T0);
    t.a.mov_imm(d, i.imm as u64);
    match i32::try_from(i.imm) {
        Ok(_) => t.wrote_word(i.rd, d),
        Err(_) => t.wrote(i.rd, d),
    }
}

fn add(t: &mut Emitter, op: Op, i: &Insn) {
    let word = op == Op::Addiw;
    if i.imm == 0 && (!word || t.is_word(i.rs1)) {
        return copy(t, i);
    }
    let w = if word { W } else { X };
    let (a, d) = (t.x_at(w, i.rs1, T0), t.target(i.rd, T0));
    t.a.add_imm(w, d, a, i.imm, T2);
    t.wrote_at(w, i.rd, d);
}

/// `rd = rs1`.
fn copy(t: &mut Emitter, i: &Insn) {
    let (word, lazy) = (t.is_word(i.rs1), t.is_lazy(i.rs1));
    let (a, d) = (t.x_low(i.rs1, T0), t.target(i.rd, T0));
    t.a.mov(d, a);
    match (word, lazy) {
        (_, true) => t.wrote_w(i.rd, d),
        (true, false) => t.wrote_word(i.rd, d),
        (false, false) => t.wrote(i.rd, d),
    }
}

fn logic(t: &mut Emitter, op: Op, i: &Insn) {
    let (word, lazy) = (t.is_word(i.rs1), t.is_lazy(i.rs1));
    let (a, d) = (t.x_low(i.rs1, T0), t.target(i.rd, T0));
    let code = match op {
        Op::Andi => (OpMask::And, Op3::And),
        Op::Ori => (OpMask::Orr, Op3::Orr),
        _ => (OpMask::Eor, Op3::Eor),
    };
    t.a.mask(code, d, a, i.imm as u64, T2);
    // A mask that is not negative clears the upper half.
    match op == Op::Andi && i.imm >= 0 {
        true => t.wrote_word(i.rd, d),
        false if lazy => t.wrote_w(i.rd, d),
        false if word => t.wrote_word(i.rd, d),
        false => t.wrote(i.rd, d),
    }
}

/// Shifts by a constant are moves of bit fields. A word's field is moved together with its sign.
fn shift(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let by = i.imm as u32;
    let left = by.wrapping_neg() & 63;
    let (code, immr, imms) = match op {
        Op::Slli => (OpField::Ubfm, left, 63 - by),
        Op::Srli => (OpField::Ubfm, by, 63),
        Op::Srai => (OpField::Sbfm, by, 63),
        Op::Slliw => (OpField::Sbfm, left, 31 - by),
        // A shift by more than 0 clears the sign bit.
        Op::Srliw if by > 0 => (OpField::Ubfm, by, 31),
        Op::Srliw | Op::Sraiw => (OpField::Sbfm, by, 31),
        _ => return false,
    };
    let word = matches!(op, Op::Slliw | Op::Srliw | Op::Sraiw);
    // The last bit that is read.
    let low = imms < 32 && (word || op == Op::Slli);
    let a = t.x_at(if low { W } else { X }, i.rs1, T0);
    let d = t.target(i.rd, T0);
    t.a.put(field(code, X, d, a, immr, imms));
    if word {
        t.wrote_word(i.rd, d)
    } else {
        t.wrote(i.rd, d)
    }
    true
}
