//! Custom instructions, whose semantics are installed at run time.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use capvec_isa::Op;
use std::sync::OnceLock;

/// What a custom instruction does. `rd` is as in every `Insn`: 32 stands for x0. The last argument says whether memory
/// accesses are logged.
pub type Semantics = Box<dyn Fn(&mut Hart, &Insn, bool) -> Exec + Send + Sync>;

static INSTALLED: [OnceLock<Semantics>; Op::COUNT - capvec_isa::op::OPS.len()] =
    [const { OnceLock::new() }; Op::COUNT - capvec_isa::op::OPS.len()];

/// Installs the semantics of an instruction that was added by `capvec_isa::custom::register`. Only the first call counts.
pub fn install(op: Op, semantics: Semantics) {
    if let Some(n) = op.custom() {
        // The first stays: threads may be executing it.
        let _ = INSTALLED[n].set(semantics);
    }
}

pub fn run<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    match i.op().custom().and_then(|n| INSTALLED[n].get()) {
        Some(semantics) => semantics(h, i, M::OBSERVE),
        None => h.illegal("it has no semantics"),
    }
}
