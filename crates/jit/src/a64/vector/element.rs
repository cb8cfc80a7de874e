//! Element-wise operations but shifts.

use super::kind::{Element, Second};
use super::operation::{Operation, Vectors};
use crate::a64::asm::{Lanes, Op3V, V, op3_bits, op3_lanes, reverse_bits, reverse_bytes};
use capvec_sim::insn::Insn;

/// A piece of vs2, and of the result.
const A: V = V(0);
/// A piece of the second operand.
const B: V = V(1);

/// Translates the operation.
pub fn emit(t: &mut Vectors<'_>, i: &Insn, op: &Operation, (element, second): (Element, Second)) {
    let lanes = Lanes::of(op.sew);
    t.scalar(i, lanes, second, B);
    for at in op.pieces() {
        if element != Element::Copy {
            t.load(A, i.rs2, at);
        }
        if second == Second::V {
            t.load(B, i.rs1, at);
        }
        let mut result = A;
        match element {
            Element::Lanes(op) => t.out.a.put(op3_lanes(op, lanes, A, A, B)),
            Element::Bits(op) => t.out.a.put(op3_bits(op, A, A, B)),
            Element::SubtractFrom => t.out.a.put(op3_lanes(Op3V::Sub, lanes, A, B, A)),
            Element::Copy => result = B,
            Element::ReverseBits => t.out.a.put(reverse_bits(A, A)),
            // A single byte stays as it is.
            Element::ReverseBytes if lanes == Lanes::B => {}
            Element::ReverseBytes => t.out.a.put(reverse_bytes(lanes, A, A)),
        }
        t.store(result, i.rd, at);
    }
}
