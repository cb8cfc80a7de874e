//! Instructions on x registers. Each part needs only the emitter, and returns whether it has translated the instruction.

mod alu;
mod bits;
mod crypto;
mod multiply;

use super::emitter::Emitter;
use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// Translates the instruction if it is one of these.
pub fn emit(t: &mut Emitter, op: Op, i: &Insn) -> bool {
    // There is one hart, and it executes in order.
    op == Op::Fence
        || alu::emit(t, op, i)
        || bits::emit(t, op, i)
        || multiply::emit(t, op, i)
        || crypto::emit(t, op, i)
}
