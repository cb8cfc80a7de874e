//! Zawrs. Both may complete at once: waiting for less than the bound is allowed.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn wrs_nto<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}

pub fn wrs_sto<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}
