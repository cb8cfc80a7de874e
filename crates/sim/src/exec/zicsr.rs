//! Zicsr: access to control and status registers.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use capvec_isa::Op;

/// Sets `rd` to the old value and, if `write`, the CSR to `f` of it.
#[inline(always)]
fn access<M: Mode>(h: &mut Hart, i: &Insn, op: Op, write: bool, f: impl Fn(u64) -> u64) -> Exec {
    let csr = i.imm as u16;
    h.csr_check(op, csr, write)?;
    let old = h.csr_read::<M>(csr)?;
    if write {
        h.csr_write(csr, f(old))?;
    }
    h.set_x::<M>(i.rd, old);
    Ok(())
}

pub fn csrrw<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let v = h.x(i.rs1);
    access::<M>(h, i, Op::Csrrw, true, |_| v)
}

pub fn csrrs<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let v = h.x(i.rs1);
    access::<M>(h, i, Op::Csrrs, i.rs1 != 0, |old| old | v)
}

pub fn csrrc<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let v = h.x(i.rs1);
    access::<M>(h, i, Op::Csrrc, i.rs1 != 0, |old| old & !v)
}

pub fn csrrwi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    access::<M>(h, i, Op::Csrrwi, true, |_| i.rs1 as u64)
}

pub fn csrrsi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    access::<M>(h, i, Op::Csrrsi, i.rs1 != 0, |old| old | i.rs1 as u64)
}

pub fn csrrci<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    access::<M>(h, i, Op::Csrrci, i.rs1 != 0, |old| old & !(i.rs1 as u64))
}
