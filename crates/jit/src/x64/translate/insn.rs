//! Emits an instruction: by a translation if there is one, otherwise as a call of its handler.

use super::translator::Translator;
use super::{call, control, memory, vector};
use crate::x64::emit::set_pc;
use crate::x64::runtime::exit::Exit;
use crate::x64::scalar;
use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// Emits instruction `k` of its block. Returns whether control can go on after it.
pub fn emit(t: &mut Translator<'_>, k: usize, i: &Insn) -> bool {
    t.out.regs.begin(t.at.insn);
    let op = i.op().row().base;
    if scalar::fused::emit(&mut t.out, t.at.trace.fused.form(t.at.insn), i)
        || scalar::emit(&mut t.out, op, i)
        || memory::emit(t, op, k, i)
        || vector::emit(t, k, i)
    {
        return true;
    }
    if control::emit(t, op, i) {
        return t.at.follow.is_some();
    }
    let last = op == Op::FenceI || op.row().class.transfers_control();
    if last {
        set_pc(&mut t.out.a, t.at.step.block.end);
    }
    call::emit(t, k, i);
    if last {
        t.report_to(t.at.step.block.end);
        t.exits.leave_saved(&mut t.out.a, Exit::Next { block: t.at.step.number });
    }
    !last
}
