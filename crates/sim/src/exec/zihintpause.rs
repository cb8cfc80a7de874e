//! Zihintpause.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// A hint: no effect on a hart that shares nothing.
pub fn pause<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}
