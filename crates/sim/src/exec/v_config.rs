//! Vector configuration: vsetvli, vsetivli, vsetvl (Unprivileged ISA manual, "Configuration-Setting
//! Instructions").

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::VType;

/// Sets vtype to `bits` and vl = min(AVL, VLMAX). `avl` computes the AVL from VLMAX; if it returns `None`, or the
/// vtype is not supported, the result is vill and vl = 0.
#[inline(always)]
fn configure<M: Mode>(
    h: &mut Hart,
    i: &Insn,
    bits: u64,
    avl: impl Fn(&Hart, u64) -> Option<u64>,
) -> Exec {
    let vtype = VType::decode(bits, h.elen());
    let vlmax = vtype.vlmax(h.v.vlen());
    match avl(h, vlmax) {
        Some(avl) if !vtype.vill => {
            h.v.vtype = vtype;
            h.v.vl = avl.min(vlmax);
        }
        _ => {
            h.v.vtype = VType::ILLEGAL;
            h.v.vl = 0;
        }
    }
    h.v.vstart = 0;
    h.set_x::<M>(i.rd, h.v.vl);
    Ok(())
}

/// The AVL that rs1 and rd encode. If both are x0, vl is kept; that is reserved when VLMAX changes or vtype was
/// illegal, and the manual lets an implementation set vill then.
fn register_avl(h: &Hart, i: &Insn, vlmax: u64) -> Option<u64> {
    match (i.rs1, i.rd_is_x0()) {
        (0, true) => (vlmax == h.v.vlmax()).then_some(h.v.vl),
        (0, false) => Some(u64::MAX),
        (rs1, _) => Some(h.x(rs1)),
    }
}

pub fn vsetvli<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    configure::<M>(h, i, i.imm as u64, |h, vlmax| register_avl(h, i, vlmax))
}

pub fn vsetivli<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    configure::<M>(h, i, i.imm as u64, |_, _| Some(i.rs1 as u64))
}

pub fn vsetvl<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    configure::<M>(h, i, h.x(i.rs2), |h, vlmax| register_avl(h, i, vlmax))
}
