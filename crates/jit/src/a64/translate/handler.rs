//! Calls of handlers, for instructions without a translation.

use super::translator::Translator;
use crate::a64::asm::{Transfer, Width, blr};
use crate::a64::registers::{HART, T0, T1, home, store_homes, survives_calls, x_slot};
use crate::interface::exit::Exit;
use crate::interface::relocation::Refers;
use capvec_sim::insn::Insn;

/// Calls the handler of instruction `k` of its block.
pub fn emit(t: &mut Translator<'_>, k: usize, i: &Insn) {
    call(t, Exit::Trap { block: t.step.number, insn: k as u8 }, i);
}

/// Calls the handler of an instruction. `exit`: the exit by its trap. All homes are up to date afterwards, with all signs extended.
pub fn call(t: &mut Translator<'_>, exit: Exit, i: &Insn) {
    let trap = t.exit(exit, None);
    t.out.extend();
    t.out.forget(i.rd);
    let a = &mut t.out.a;
    store_homes(a, std::mem::take(&mut t.out.known.dirty));
    a.load_literal(T0, std::ptr::from_ref(i) as u64, Refers::Address);
    a.load_literal(T1, t.runtime.call, Refers::Address);
    a.put(blr(T1));
    a.jump_unless_zero(Width::X, T0, trap);
    // A handler writes no other register.
    if let Some(home) = home(i.rd).filter(|_| survives_calls(i.rd)) {
        a.transfer(Transfer::Ldr, home, HART, x_slot(i.rd));
    }
}
