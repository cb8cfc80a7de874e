//! Calls of handlers, for instructions without a translation.

use super::float_state::FloatState;
use super::insn_translator::InsnTranslator;
use crate::interface::exit::Exit;
use crate::x64::asm::{Label, Reg, Rm, Width};
use crate::x64::cycles::correction;
use crate::x64::runtime::Runtime;
use crate::x64::runtime::convention::hart_field;
use capvec_isa::Class;
use capvec_sim::insn::Insn;
use iced_x86::Code;

/// Calls the handler of instruction `k` of its block.
pub fn emit(t: &mut InsnTranslator<'_>, runtime: &Runtime, k: usize, i: &Insn) {
    t.release();
    // The handler's cost may depend on the current cycle, so deferred costs are counted first.
    t.cycles.deferred.flush(&mut t.out.a);
    if t.at.step.block.plan.costs.dynamic_at(k).is_some() {
        t.cycles.catch_up(&mut t.out.a, k as u8);
    }
    t.out.regs.spill(&mut t.out.a);
    let trap = trap(t, k);
    call(t, runtime, k, i, trap);
    t.float = FloatState::default();
    t.out.regs.called(i.rd);
}

/// The call itself; all registers are written back.
fn call(t: &mut InsnTranslator<'_>, runtime: &Runtime, k: usize, i: &Insn, trap: Label) {
    let (a, block) = (&mut t.out.a, t.at.step.block);
    a.lea(Width::Q, Reg::RDI, hart_field(0));
    a.mov_address(Reg::RSI, std::ptr::from_ref(i) as u64);
    let dynamic = block.plan.costs.dynamic_at(k);
    if let (Some(timed), Some(d)) = (t.cycles.timed(), dynamic) {
        a.mov_address(Reg::RDX, timed.address());
        a.mov_imm(Reg::RCX, d.note as u64);
        a.mov_imm(Reg::R8, correction(timed.inline_state(), block, d) as u64);
        a.mov_address(Reg::RAX, runtime.timed_thunk);
    } else {
        let reads_flags = i.op().row().class == Class::Csr;
        a.mov_address(Reg::RAX, if reads_flags { runtime.csr_thunk } else { runtime.thunk });
    }
    a.op1(Code::Call_rm64, Reg::RAX);
    a.op2_to(Code::Test_rm32_r32, Rm::R(Reg::RAX), Reg::RAX);
    a.jump(Code::Jne_rel32_64, trap);
}

/// The exit for a trap of instruction `k`.
fn trap(t: &mut InsnTranslator<'_>, k: usize) -> Label {
    let from = t.out.a.label();
    let uncounted = t.cycles.uncounted_before(k);
    let exit = Exit::Trap { block: t.at.step.number, insn: k as u8 };
    t.exits.out_of_line(move |a, exits| {
        a.bind(from);
        uncounted.emit(a);
        exits.leave_saved(a, exit);
    });
    from
}
