//! Instructions of machine mode.

use crate::hart::{Hart, Privilege};
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn mret<M: Mode>(h: &mut Hart, _: &Insn) -> Exec {
    if h.leave_machine() { Ok(()) } else { h.illegal("mret below machine mode") }
}

/// There is nothing to wait for: it completes at once. Below machine mode it need not be legal, and on Linux
/// it is not.
pub fn wfi<M: Mode>(h: &mut Hart, _: &Insn) -> Exec {
    if h.privilege == Privilege::Machine { Ok(()) } else { h.illegal("wfi below machine mode") }
}
