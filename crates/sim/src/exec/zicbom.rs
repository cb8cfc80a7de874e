//! Zicbom: without a cache that can differ from memory, only the access is checked.
//!
//! Management instructions need read or write permission; they fault as stores.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::machine::envcfg;
use crate::mem::Perm;
use crate::mode::Mode;
use crate::trap::Cause;

/// Checks the permissions. If there is a machine mode, user mode needs one of the `bits` of `menvcfg`. Otherwise Linux plays
/// the role of the higher modes, and `granted` says whether it allows the instruction.
fn manage<M: Mode>(h: &mut Hart, i: &Insn, bits: u64, granted: bool) -> Exec {
    if !h.user_may(bits, granted) {
        return h
            .illegal("cache-block management in user mode without its bit in menvcfg or senvcfg");
    }
    let size = h.config.cache_block as u64;
    let addr = M::address(h.x(i.rs1));
    let block = addr & !(size - 1);
    if !h.mem.allows(block, size, Perm::R) && !h.mem.allows(block, size, Perm::W) {
        return h.raise(Cause::StorePage, addr);
    }
    Ok(())
}

pub fn cbo_clean<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    manage::<M>(h, i, envcfg::CBCFE, true)
}

pub fn cbo_flush<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    manage::<M>(h, i, envcfg::CBCFE, true)
}

/// Linux never grants it to user mode: it keeps senvcfg.CBIE at 0, because stale data of other processes could appear
/// (Privileged ISA manual, "Supervisor Environment Configuration Register").
pub fn cbo_inval<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    manage::<M>(h, i, envcfg::CBIE, false)
}
