//! Zicbom: there is no cache that could hold other data than memory, so only the access is checked.
//!
//! A management instruction may do what a load or a store may do; it faults as a store.

use crate::hart::{Hart, Privilege};
use crate::insn::{Exec, Insn};
use crate::mem::Perm;
use crate::mode::Mode;
use crate::trap::Cause;

fn manage(h: &mut Hart, i: &Insn) -> Exec {
    let size = h.config.cache_block as u64;
    let addr = h.x(i.rs1);
    let block = addr & !(size - 1);
    if !h.mem.allows(block, size, Perm::R) && !h.mem.allows(block, size, Perm::W) {
        return h.raise(Cause::StorePage, addr);
    }
    Ok(())
}

pub fn cbo_clean<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    manage(h, i)
}

pub fn cbo_flush<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    manage(h, i)
}

/// Linux never grants it to user mode: senvcfg.CBIE stays 0, as data of others could come to light
/// (Privileged ISA manual, "Supervisor Environment Configuration Register").
pub fn cbo_inval<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    if h.privilege == Privilege::User {
        return h.illegal("cbo.inval in user mode without senvcfg.CBIE");
    }
    manage(h, i)
}
