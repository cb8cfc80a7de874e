//! Instructions of machine mode.

use crate::hart::{Hart, Privilege};
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn mret<M: Mode>(h: &mut Hart, _: &Insn) -> Exec {
    if h.leave_machine() { Ok(()) } else { h.illegal("mret below machine mode") }
}

/// Completes at once, since no interrupt ever comes. Below machine mode it may be illegal, and on Linux it is.
pub fn wfi<M: Mode>(h: &mut Hart, _: &Insn) -> Exec {
    if h.privilege == Privilege::Machine { Ok(()) } else { h.illegal("wfi below machine mode") }
}
