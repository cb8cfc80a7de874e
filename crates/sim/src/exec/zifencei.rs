//! Zifencei.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// Earlier stores become visible to fetches: engines drop the blocks whose bytes have changed.
pub fn fence_i<M: Mode>(h: &mut Hart, _: &Insn) -> Exec {
    h.mem.code_changed();
    Ok(())
}
