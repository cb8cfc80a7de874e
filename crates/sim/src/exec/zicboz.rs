//! Zicboz.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::machine::envcfg;
use crate::mem::Perm;
use crate::mode::Mode;
use crate::trap::Cause;

/// Zeroes the cache block that holds the address.
pub fn cbo_zero<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    if !h.user_may(envcfg::CBZE, true) {
        return h.illegal("cbo.zero in user mode without menvcfg.CBZE");
    }
    let size = h.config.cache_block as u64;
    let addr = M::address(h.x(i.rs1));
    let block = addr & !(size - 1);
    if !h.mem.allows(block, size, Perm::W) {
        return h.raise(Cause::StorePage, addr);
    }
    for at in (block..block + size).step_by(8) {
        h.store::<M, u64>(at, 0)?;
    }
    Ok(())
}
