//! Zifencei.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// What was stored before is fetched afterwards: engines drop their translations.
pub fn fence_i<M: Mode>(h: &mut Hart, _: &Insn) -> Exec {
    h.mem.code_changed();
    Ok(())
}
