//! Decides whether an instruction is legal for a vtype and vl by running its handler on a private hart.

use capvec_sim::hart::Config;
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Hart, Memory};
use std::sync::Arc;

/// Runs handlers on a private hart.
#[derive(Default)]
pub struct Judge {
    /// A hart without mapped pages, so that an access does no more than its checks.
    hart: Option<Hart>,
}

impl Judge {
    /// Whether the vector instruction, which is not a vset, is legal: it traps for no other reason than its memory
    /// access. Legality depends on nothing but the arguments.
    pub fn legal(&mut self, config: &Arc<Config>, i: &Insn, vtype: VType, vl: u64) -> bool {
        let Some(h) = self.hart(config) else { return false };
        (h.v.vtype, h.v.vl, h.v.vstart) = (vtype, vl, 0);
        let raised = (i.exec)(h, i).is_err();
        h.accesses.clear();
        !raised || h.trap.cause != Cause::Illegal
    }

    fn hart(&mut self, config: &Arc<Config>) -> Option<&mut Hart> {
        if !self.hart.as_ref().is_some_and(|h| Arc::ptr_eq(&h.config, config)) {
            let memory = Memory::new().ok()?;
            self.hart = Some(Hart::new(Arc::clone(config), memory));
        }
        self.hart.as_mut()
    }
}
