//! Emits an instruction: by a translation if there is one, otherwise as a call of its handler.

use super::translator::Translator;
use super::{control, float, handler_call, loads_stores, vector};
use crate::interface::exit::Exit;
use crate::x64::emit::set_pc;
use crate::x64::scalar;
use capvec_isa::Op;
use capvec_sim::insn::Insn;

/// Emits instruction `k` of its block. Returns whether control can go on after it.
pub fn emit(t: &mut Translator<'_>, k: usize, i: &Insn) -> bool {
    t.insns.out.regs.begin(t.insns.at.insn);
    let op = i.op().row().base;
    if scalar::fused::emit(&mut t.insns.out, t.insns.at.trace.fused.form(t.insns.at.insn), i)
        || scalar::emit(&mut t.insns.out, op, i)
        || loads_stores::emit(&mut t.insns, op, k, i)
        || float::emit(&mut t.insns, k, i)
        || vector::emit(&mut t.insns, t.plan, k, i)
    {
        return true;
    }
    if control::emit(t, op, i) {
        return t.follow.is_some();
    }
    let last = op == Op::FenceI || op.row().class.transfers_control();
    if last {
        set_pc(&mut t.insns.out.a, t.insns.at.step.block.end);
    }
    handler_call::emit(&mut t.insns, t.runtime, k, i);
    if last {
        t.report_to(t.insns.at.step.block.end);
        t.insns.exits.leave_saved(&mut t.insns.out.a, Exit::Next { block: t.insns.at.step.number });
    }
    !last
}
