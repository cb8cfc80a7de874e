//! Emits an instruction: by a translation if there is one, otherwise as a call of its handler.

use super::translator::Translator;
use super::{control, handler, memory, vector};
use crate::a64::scalar;
use crate::interface::exit::Exit;
use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// Emits instruction `k` of its block. Returns whether control can go on after it.
pub fn emit<'a>(t: &mut Translator<'a>, k: usize, i: &'a Insn) -> bool {
    let op = i.op().row().base;
    if scalar::emit(&mut t.out, op, i) || memory::emit(t, op, k, i) || vector::emit(t, k, i) {
        return true;
    }
    if control::emit(t, op, i) {
        return t.follow.is_some();
    }
    let (last, step) = (op == Op::FenceI || op.row().class.transfers_control(), t.step);
    if last {
        t.set_pc(step.block.end);
    }
    handler::emit(t, k, i);
    if last {
        t.report_to(step, step.block.end);
        t.leave(Exit::Next { block: step.number });
    }
    !last
}
