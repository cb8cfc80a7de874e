//! AES and GHASH.

use super::kind::Round;
use super::operation::{Operation, Vectors};
use crate::a64::asm::{
    Aes, Lanes, OpBits, V, aes, middle, op3_bits, pmull, pmull_high, reverse_bits, splat, zero,
};
use crate::a64::registers::T0;
use capvec_sim::insn::Insn;

/// The state.
const STATE: V = V(0);
/// The round key.
const KEY: V = V(1);
/// Zero: the host adds its key at the start of a round, the guest at the end.
const ZERO: V = V(2);

/// An AES round: state vd, key vs2 or its first lane.
pub fn aes_round(t: &mut Vectors<'_>, i: &Insn, op: &Operation, (round, lane): (Round, bool)) {
    t.out.a.put(zero(ZERO));
    if lane {
        t.load(KEY, i.rs2, 0);
    }
    for at in op.pieces() {
        if !lane {
            t.load(KEY, i.rs2, at);
        }
        t.load(STATE, i.rd, at);
        let a = &mut t.out.a;
        match round {
            Round::EncryptMiddle | Round::EncryptFinal => a.put(aes(Aes::Aese, STATE, ZERO)),
            Round::DecryptMiddle | Round::DecryptFinal => a.put(aes(Aes::Aesd, STATE, ZERO)),
            Round::Zero => {}
        }
        if round == Round::EncryptMiddle {
            a.put(aes(Aes::Aesmc, STATE, STATE));
        }
        a.put(op3_bits(OpBits::Eor, STATE, STATE, KEY));
        if round == Round::DecryptMiddle {
            // The key is added before InvMixColumns.
            a.put(aes(Aes::Aesimc, STATE, STATE));
        }
        t.store(STATE, i.rd, at);
    }
}

/// The factors; the first becomes the lower half of the product.
const X: V = V(0);
const Y: V = V(1);
/// The upper half of the product.
const HIGH: V = V(3);
/// Temporary values.
const MIDDLE: V = V(4);
const PART: V = V(5);
/// x^7 + x^2 + x + 1 in both halves.
const POLY: V = V(6);

/// vd = (vd ^ vs1) · vs2, or vd · vs2, modulo x^128 + x^7 + x^2 + x + 1. Reversing the bits of each byte puts the coefficients into
/// natural order.
pub fn ghash(t: &mut Vectors<'_>, i: &Insn, op: &Operation, add: bool) {
    t.out.a.put(zero(ZERO));
    t.out.a.mov_imm(T0, 0x87);
    t.out.a.put(splat(Lanes::D, POLY, T0));
    for at in op.pieces() {
        t.load(X, i.rd, at);
        if add {
            t.load(Y, i.rs1, at);
            t.out.a.put(op3_bits(OpBits::Eor, X, X, Y));
        }
        t.load(Y, i.rs2, at);
        t.out.a.put(reverse_bits(X, X));
        t.out.a.put(reverse_bits(Y, Y));
        multiply(t);
        t.out.a.put(reverse_bits(X, X));
        t.store(X, i.rd, at);
    }
}

/// `X` *= `Y`.
fn multiply(t: &mut Vectors<'_>) {
    let a = &mut t.out.a;
    a.put(middle(PART, Y, Y));
    a.put(pmull(MIDDLE, X, PART));
    a.put(pmull_high(PART, X, PART));
    a.put(op3_bits(OpBits::Eor, MIDDLE, MIDDLE, PART));
    a.put(pmull_high(HIGH, X, Y));
    a.put(pmull(X, X, Y));
    add_middle(t);
    // Reduces the upper quarter: down by 128 bits, times the polynomial. Then the rest of the upper half.
    t.out.a.put(pmull_high(MIDDLE, HIGH, POLY));
    add_middle(t);
    t.out.a.put(pmull(MIDDLE, HIGH, POLY));
    t.out.a.put(op3_bits(OpBits::Eor, X, X, MIDDLE));
}

/// Adds `MIDDLE` to the product, 64 bits up.
fn add_middle(t: &mut Vectors<'_>) {
    let a = &mut t.out.a;
    a.put(middle(PART, ZERO, MIDDLE));
    a.put(op3_bits(OpBits::Eor, X, X, PART));
    a.put(middle(PART, MIDDLE, ZERO));
    a.put(op3_bits(OpBits::Eor, HIGH, HIGH, PART));
}
