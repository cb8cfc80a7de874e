//! Whether an instruction is legal under a vtype and vl: its handler decides, on a hart of the judge's own.

use capvec_sim::hart::Config;
use capvec_sim::insn::Insn;
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Hart, Memory};
use std::sync::Arc;

/// Asks handlers.
#[derive(Default)]
pub struct Judge {
    /// Without any mapped page, so that nothing but the check of an access happens.
    hart: Option<Hart>,
}

impl Judge {
    /// Whether the instruction, which is a vector instruction but not one of configuration, traps for any
    /// other reason than an access to memory. What it does not depend on but these is data.
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
