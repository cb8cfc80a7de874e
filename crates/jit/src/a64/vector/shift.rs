//! Shifts and rotations. Their counts are taken modulo SEW, which those of the host are not.

use super::kind::{Second, Shift};
use super::operation::{Operation, Vectors};
use crate::a64::asm::{
    Lanes, Op3V, OpBits, OpLeft, OpRight, V, negate, op3_bits, op3_lanes, shift_left, shift_right,
    splat,
};
use crate::a64::registers::T0;
use capvec_sim::insn::Insn;

/// A piece of vs2, and of the result.
const A: V = V(0);
/// The counts, negative to the right.
const COUNT: V = V(1);
/// The counts of a rotation's other half, in the other direction.
const OTHER: V = V(2);
/// The other half of a rotation.
const HALF: V = V(3);
/// SEW - 1 in each element.
const MASK: V = V(4);
/// SEW in each element.
const WIDTH: V = V(5);

/// Translates the operation.
pub fn emit(t: &mut Vectors<'_>, i: &Insn, op: &Operation, (shift, second): (Shift, Second)) {
    let lanes = Lanes::of(op.sew);
    if second == Second::I {
        return by_immediate(t, i, op, shift);
    }
    for (v, value) in [(MASK, op.sew - 1), (WIDTH, op.sew)] {
        t.out.a.mov_imm(T0, value.into());
        t.out.a.put(splat(lanes, v, T0));
    }
    if second == Second::X {
        t.scalar(i, lanes, second, COUNT);
        counts(t, lanes, shift);
    }
    for at in op.pieces() {
        if second == Second::V {
            t.load(COUNT, i.rs1, at);
            counts(t, lanes, shift);
        }
        t.load(A, i.rs2, at);
        let by = if shift == Shift::Arithmetic { Op3V::Sshl } else { Op3V::Ushl };
        if shift.rotates() {
            t.out.a.put(op3_lanes(by, lanes, HALF, A, OTHER));
        }
        t.out.a.put(op3_lanes(by, lanes, A, A, COUNT));
        if shift.rotates() {
            t.out.a.put(op3_bits(OpBits::Orr, A, A, HALF));
        }
        t.store(A, i.rd, at);
    }
}

/// From numbers in `COUNT`, the counts in `COUNT` and `OTHER`. The latter differ from the former by SEW, and a shift by SEW gives 0.
fn counts(t: &mut Vectors<'_>, lanes: Lanes, shift: Shift) {
    t.out.a.put(op3_bits(OpBits::And, COUNT, COUNT, MASK));
    let to_other = if shift.is_left() {
        Op3V::Sub
    } else {
        t.out.a.put(negate(lanes, COUNT, COUNT));
        Op3V::Add
    };
    if shift.rotates() {
        t.out.a.put(op3_lanes(to_other, lanes, OTHER, COUNT, WIDTH));
    }
}

/// By the immediate, which no rotation to the left has.
fn by_immediate(t: &mut Vectors<'_>, i: &Insn, op: &Operation, shift: Shift) {
    let lanes = Lanes::of(op.sew);
    let by = i.imm as u32 & (op.sew - 1);
    for at in op.pieces() {
        t.load(A, i.rs2, at);
        // The host has no shift to the right by 0.
        let result = if by == 0 { A } else { HALF };
        if by > 0 {
            t.out.a.put(match shift {
                Shift::Left => shift_left(OpLeft::Shl, lanes, HALF, A, by),
                Shift::Arithmetic => shift_right(OpRight::Sshr, lanes, HALF, A, by),
                _ => shift_right(OpRight::Ushr, lanes, HALF, A, by),
            });
            if shift == Shift::RotateRight {
                t.out.a.put(shift_left(OpLeft::Sli, lanes, HALF, A, op.sew - by));
            }
        }
        t.store(result, i.rd, at);
    }
}
