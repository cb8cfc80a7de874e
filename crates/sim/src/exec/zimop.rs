//! Zimop: may-be operations write zero unless an extension redefines them.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

pub fn mop_r_n<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.set_x::<M>(i.rd, 0);
    Ok(())
}

pub fn mop_rr_n<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.set_x::<M>(i.rd, 0);
    Ok(())
}
