//! Zba, Zbb, Zbs, Zbkb, Zicond.

use super::alu::{bitwise, two};
use crate::a64::asm::{
    Cond, Op2, Op3, OpField, OpMask, OpSelect, Reg, Shift, V, Width, ZR, add_uxtw, count_bytes,
    extr, field, from_vector, op2, op3, op3_shifted, rev, select, sum_bytes, to_vector,
};
use crate::a64::emitter::Emitter;
use crate::a64::registers::{T0, T1, T2};
use capvec_isa::Op;
use capvec_sim::insn::Insn;

const W: Width = Width::W;
const X: Width = Width::X;

/// Translates the instruction if it is one of these.
pub fn emit(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    addresses(t, op, i)
        || logic(t, op, i)
        || choose(t, op, i)
        || rotate(t, op, i)
        || unary(t, op, i)
        || count_ones(t, op, i)
        || single(t, op, i)
        || pack(t, op, i)
}

/// Zba.
fn addresses(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let (by, word) = match op {
        Op::Sh1add => (1, false),
        Op::Sh2add => (2, false),
        Op::Sh3add => (3, false),
        Op::AddUw => (0, true),
        Op::Sh1addUw => (1, true),
        Op::Sh2addUw => (2, true),
        Op::Sh3addUw => (3, true),
        Op::SlliUw => return zero_extended(t, i, i.imm as u32),
        _ => return false,
    };
    // Register 31 is the stack pointer where an operand is extended.
    if word && i.rs2 == 0 {
        return zero_extended(t, i, by);
    }
    let (w, d) = (if word { W } else { X }, t.target(i.rd, T0));
    let (a, b) = (t.x_at(w, i.rs1, T0), t.x(i.rs2, T1));
    t.a.put(match word {
        true => add_uxtw(d, b, (a, by)),
        false => op3_shifted(Op3::Add, X, d, b, (a, Shift::Lsl, by)),
    });
    t.wrote(i.rd, d);
    true
}

/// `rd` = the low word of rs1, shifted left.
fn zero_extended(t: &mut Emitter, i: &Insn, by: u32) -> bool {
    let (a, d) = (t.x_low(i.rs1, T0), t.target(i.rd, T0));
    t.a.put(field(OpField::Ubfm, X, d, a, (64 - by) % 64, 31.min(63 - by)));
    t.wrote(i.rd, d);
    true
}

/// Logic with complement.
fn logic(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let code = match op {
        Op::Andn => Op3::Bic,
        Op::Orn => Op3::Orn,
        Op::Xnor => Op3::Eon,
        _ => return false,
    };
    bitwise(t, code, i);
    true
}

/// Minimum, maximum, and Zicond.
fn choose(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let cond = match op {
        Op::Max => Cond::Gt,
        Op::Min => Cond::Lt,
        Op::Maxu => Cond::Hi,
        Op::Minu => Cond::Lo,
        Op::CzeroEqz => Cond::Ne,
        Op::CzeroNez => Cond::Eq,
        _ => return false,
    };
    let (a, b, d) = (t.x(i.rs1, T0), t.x(i.rs2, T1), t.target(i.rd, T0));
    let otherwise = if matches!(op, Op::CzeroEqz | Op::CzeroNez) {
        t.a.compare(X, b, ZR);
        ZR
    } else {
        t.a.compare(X, a, b);
        b
    };
    t.a.put(select(OpSelect::Csel, X, d, a, otherwise, cond));
    t.wrote(i.rd, d);
    true
}

fn rotate(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    match op {
        Op::Ror => two(t, Op3::Ror, X, i),
        Op::Rorw => two(t, Op3::Ror, W, i),
        Op::Rol | Op::Rolw => {
            let w = if op == Op::Rol { X } else { W };
            let (a, b) = (t.x_at(w, i.rs1, T0), t.x_low(i.rs2, T1));
            let d = t.target(i.rd, T0);
            // To the right by the width minus the amount.
            t.a.put(op3(Op3::Sub, w, T2, ZR, b));
            t.a.put(op3(Op3::Ror, w, d, a, T2));
            t.wrote_at(w, i.rd, d);
        }
        Op::Rori | Op::Roriw => {
            let w = if op == Op::Rori { X } else { W };
            let (a, d) = (t.x_at(w, i.rs1, T0), t.target(i.rd, T0));
            t.a.put(extr(w, d, a, a, i.imm as u32));
            t.wrote_at(w, i.rd, d);
        }
        _ => return false,
    }
    true
}

fn unary(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    use Op::{Brev8, Clz, Clzw, Ctz, Ctzw, OrcB, Rev8, SextB, SextH, ZextH};
    if !matches!(op, Brev8 | Clz | Clzw | Ctz | Ctzw | OrcB | Rev8 | SextB | SextH | ZextH) {
        return false;
    }
    let low = matches!(op, Clzw | Ctzw | SextB | SextH | ZextH);
    let (a, d) = (t.x_at(if low { W } else { X }, i.rs1, T0), t.target(i.rd, T0));
    match op {
        Op::Clz => t.a.put(op2(Op2::Clz, X, d, a)),
        Op::Clzw => t.a.put(op2(Op2::Clz, W, d, a)),
        Op::Ctz | Op::Ctzw => {
            let w = if op == Op::Ctz { X } else { W };
            t.a.put(op2(Op2::Rbit, w, T0, a));
            t.a.put(op2(Op2::Clz, w, d, T0));
        }
        Op::SextB => t.a.put(field(OpField::Sbfm, X, d, a, 0, 7)),
        Op::SextH => t.a.put(field(OpField::Sbfm, X, d, a, 0, 15)),
        Op::ZextH => t.a.put(field(OpField::Ubfm, X, d, a, 0, 15)),
        Op::Rev8 => t.a.put(rev(d, a)),
        Op::Brev8 => {
            t.a.put(op2(Op2::Rbit, X, T0, a));
            t.a.put(rev(d, T0));
        }
        _ => fill_bytes(t, d, a),
    }
    match op {
        Brev8 | OrcB | Rev8 => t.wrote(i.rd, d),
        _ => t.wrote_word(i.rd, d),
    }
    true
}

/// `d` = ones in each byte of `a` that is not zero.
fn fill_bytes(t: &mut Emitter, d: Reg, a: Reg) {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // Bit 7 of each byte that is not zero.
    t.a.mov_imm(T2, LOW);
    t.a.put(op3(Op3::And, X, T1, a, T2));
    t.a.put(op3(Op3::Add, X, T1, T1, T2));
    t.a.put(op3(Op3::Orr, X, T1, T1, a));
    t.a.put(op3(Op3::Bic, X, T1, T1, T2));
    // Twice that bit, minus bit 0 of the byte.
    t.a.put(op3(Op3::Add, X, T2, T1, T1));
    t.a.put(op3_shifted(Op3::Sub, X, d, T2, (T1, Shift::Lsr, 7)));
}

/// The host counts ones in vector registers, all of which are scratch registers.
fn count_ones(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    if !matches!(op, Op::Cpop | Op::Cpopw) {
        return false;
    }
    let w = if op == Op::Cpopw { W } else { X };
    let (mut a, d) = (t.x_at(w, i.rs1, T0), t.target(i.rd, T0));
    if w == W {
        t.a.put(op3(Op3::Orr, W, T1, ZR, a));
        a = T1;
    }
    t.a.put(to_vector(V(0), a));
    t.a.put(count_bytes(V(0), V(0)));
    t.a.put(sum_bytes(V(0), V(0)));
    t.a.put(from_vector(d, V(0)));
    t.wrote_word(i.rd, d);
    true
}

/// Zbs. Bit numbers count modulo 64 on both sides.
fn single(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let (masked, plain, inverted) = match op {
        Op::Bset | Op::Bseti => (OpMask::Orr, Op3::Orr, 0),
        Op::Bclr | Op::Bclri => (OpMask::And, Op3::Bic, u64::MAX),
        Op::Binv | Op::Binvi => (OpMask::Eor, Op3::Eor, 0),
        Op::Bext => {
            let (a, b, d) = (t.x(i.rs1, T0), t.x(i.rs2, T1), t.target(i.rd, T0));
            t.a.put(op3(Op3::Lsr, X, T2, a, b));
            t.a.put(field(OpField::Ubfm, X, d, T2, 0, 0));
            t.wrote(i.rd, d);
            return true;
        }
        Op::Bexti => {
            let (a, d) = (t.x(i.rs1, T0), t.target(i.rd, T0));
            t.a.put(field(OpField::Ubfm, X, d, a, i.imm as u32, i.imm as u32));
            t.wrote(i.rd, d);
            return true;
        }
        _ => return false,
    };
    let (a, d) = (t.x(i.rs1, T0), t.target(i.rd, T0));
    if matches!(op, Op::Bseti | Op::Bclri | Op::Binvi) {
        t.a.mask((masked, plain), d, a, 1 << i.imm ^ inverted, T2);
    } else {
        let b = t.x(i.rs2, T1);
        t.a.mov_imm(T2, 1);
        t.a.put(op3(Op3::Lsl, X, T2, T2, b));
        t.a.put(op3(plain, X, d, a, T2));
    }
    t.wrote(i.rd, d);
    true
}

/// Concatenates the low parts of both.
fn pack(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let width = match op {
        Op::Pack => 32,
        Op::Packh => 8,
        Op::Packw => 16,
        _ => return false,
    };
    let (a, b) = (t.x_low(i.rs1, T0), t.x_low(i.rs2, T1));
    t.a.put(field(OpField::Ubfm, X, T2, a, 0, width - 1));
    t.a.put(field(OpField::Bfm, X, T2, b, 64 - width, width - 1));
    let d = t.target(i.rd, T0);
    match op {
        Op::Packw => t.a.put(field(OpField::Sbfm, X, d, T2, 0, 31)),
        _ => t.a.mov(d, T2),
    }
    if op == Op::Pack {
        t.wrote(i.rd, d)
    } else {
        t.wrote_word(i.rd, d)
    }
    true
}
