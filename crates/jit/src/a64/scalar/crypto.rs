//! Scalar cryptography: Zbc, Zbkx, Zknd, Zkne, Zknh and Zksh.

use crate::a64::asm::{
    Aes, Lanes, Op3, OpField, OpMask, Shift, V, Width, aes, extr, field, from_high, from_vector,
    op3, op3_shifted, pmull, splat, table, to_high, to_vector, zero,
};
use crate::a64::emitter::Emitter;
use crate::a64::registers::{T0, T1, T2};
use crate::interface::three_terms::{Terms, Third, terms};
use capvec_isa::Op;
use capvec_sim::insn::Insn;

const W: Width = Width::W;
const X: Width = Width::X;

/// Translates the instruction if it is one of these and the host supports it.
pub fn emit(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let host = t.host;
    sha(t, op, i)
        || op == Op::Xperm8 && xperm8(t, i)
        || host.vaes && (rounds(t, op, i) || keys(t, op, i))
        || host.vpclmulqdq && clmul(t, op, i)
}

/// SHA-2 and SM3: the exclusive or of three rotated or shifted copies.
fn sha(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let Some(Terms { wide, rotated: [first, second], third }) = terms(op) else { return false };
    let w = if wide { X } else { W };
    let (s, d) = (t.x_at(w, i.rs1, T0), t.target(i.rd, T0));
    t.a.put(extr(w, T1, s, s, first));
    t.a.put(extr(w, T2, s, s, second));
    t.a.put(op3(Op3::Eor, w, T1, T1, T2));
    let term = match third {
        Third::Rotated(by) => {
            t.a.put(extr(w, T2, s, s, by));
            op3(Op3::Eor, w, d, T1, T2)
        }
        Third::Shifted(by) => op3_shifted(Op3::Eor, w, d, T1, (s, Shift::Lsr, by)),
        Third::Itself => op3(Op3::Eor, w, d, T1, s),
    };
    t.a.put(term);
    t.wrote_at(w, i.rd, d);
    true
}

/// Scratch registers: no value lives in them across instructions.
const A: V = V(0);
/// See `A`.
const B: V = V(1);

/// `rd` = the low half of `A`.
fn result(t: &mut Emitter, i: &Insn) -> bool {
    let d = t.target(i.rd, T0);
    t.a.put(from_vector(d, A));
    t.wrote(i.rd, d);
    true
}

/// Half of a round of AES on rs1 and rs2.
fn rounds(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    let (bytes, columns) = match op {
        Op::Aes64es => (Aes::Aese, None),
        Op::Aes64esm => (Aes::Aese, Some(Aes::Aesmc)),
        Op::Aes64ds => (Aes::Aesd, None),
        Op::Aes64dsm => (Aes::Aesd, Some(Aes::Aesimc)),
        Op::Aes64im => {
            let a = t.x(i.rs1, T0);
            t.a.put(to_vector(A, a));
            t.a.put(aes(Aes::Aesimc, A, A));
            return result(t, i);
        }
        _ => return false,
    };
    let (a, b) = (t.x(i.rs1, T0), t.x(i.rs2, T1));
    t.a.put(to_vector(A, a));
    t.a.put(to_high(A, b));
    // No round key.
    t.a.put(zero(B));
    t.a.put(aes(bytes, A, B));
    columns.into_iter().for_each(|columns| t.a.put(aes(columns, A, A)));
    result(t, i)
}

/// AES: the key schedule.
fn keys(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    match op {
        // Greater numbers are reserved.
        Op::Aes64ks1i if i.imm <= 10 => {
            // Round r's constant is x^r in GF(2^8).
            const CONSTANTS: [u64; 10] = [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36];
            let a = t.x(i.rs1, T0);
            t.a.put(field(OpField::Ubfm, X, T1, a, 32, 63));
            // ShiftRows does nothing where all columns are equal.
            t.a.put(splat(Lanes::S, A, T1));
            t.a.put(zero(B));
            t.a.put(aes(Aes::Aese, A, B));
            t.a.put(from_vector(T1, A));
            // Every round but the last rotates, and adds its constant.
            if let Some(constant) = CONSTANTS.get(i.imm as usize) {
                t.a.put(extr(W, T1, T1, T1, 8));
                t.a.mask((OpMask::Eor, Op3::Eor), T1, T1, *constant, T2);
            }
            t.a.put(field(OpField::Bfm, X, T1, T1, 32, 31));
        }
        Op::Aes64ks2 => {
            // The words are rs1's upper one, then rs2's, each XORed with those before it.
            let (a, b) = (t.x(i.rs1, T0), t.x(i.rs2, T1));
            t.a.put(op3_shifted(Op3::Eor, X, T2, b, (a, Shift::Lsr, 32)));
            t.a.put(op3_shifted(Op3::Eor, X, T1, T2, (b, Shift::Lsr, 32)));
            t.a.put(field(OpField::Bfm, X, T2, T1, 32, 31));
            t.a.mov(T1, T2);
        }
        _ => return false,
    }
    let d = t.target(i.rd, T1);
    t.a.mov(d, T1);
    t.wrote(i.rd, d);
    true
}

fn clmul(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    if !matches!(op, Op::Clmul | Op::Clmulh | Op::Clmulr) {
        return false;
    }
    let (a, b) = (t.x(i.rs1, T0), t.x(i.rs2, T1));
    t.a.put(to_vector(A, a));
    t.a.put(to_vector(B, b));
    t.a.put(pmull(A, A, B));
    if op == Op::Clmul {
        return result(t, i);
    }
    let d = t.target(i.rd, T0);
    t.a.put(from_high(d, A));
    if op == Op::Clmulr {
        // The product's bits 63 to 126.
        t.a.put(from_vector(T1, A));
        t.a.put(extr(X, d, d, T1, 63));
    }
    t.wrote(i.rd, d);
    true
}

/// The upper half of the table is 0, as are bytes beyond it.
fn xperm8(t: &mut Emitter, i: &Insn) -> bool {
    let (a, b) = (t.x(i.rs1, T0), t.x(i.rs2, T1));
    t.a.put(to_vector(A, a));
    t.a.put(to_vector(B, b));
    t.a.put(table(A, A, B));
    result(t, i)
}
