//! Zicbop: prefetches are hints without an architectural effect, and never trap.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn prefetch_i<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}

pub fn prefetch_r<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}

pub fn prefetch_w<M: Mode>(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}
