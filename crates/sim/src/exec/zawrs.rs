//! Zawrs. Both complete at once: the manual allows a wait to end early.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn wrs_nto<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}

pub fn wrs_sto<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}
