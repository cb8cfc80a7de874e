//! Zihintpause.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// A hint without effect on the single hart.
pub fn pause<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}
