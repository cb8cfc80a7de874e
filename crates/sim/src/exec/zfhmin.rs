//! Zfhmin: half precision in memory and registers, converted for arithmetic.

use super::float::{self, handlers, require};
use crate::fp::{self, F16, F32, F64};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use capvec_isa::Ext;

handlers! {
    flh: float::load::<M, F16, u16> [];
    fcvt_s_h: float::convert::<F16, F32> [fp::convert];
    fcvt_h_s: float::convert::<F32, F16> [fp::convert];
    fmv_x_h: float::move_to_x::<M, F16> [];
    fmv_h_x: float::move_from_x::<F16> [];
}

/// Stores the low bits as they are, NaN-boxed or not.
pub fn fsh<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let addr = h.x(i.rs1).wrapping_add(i.imm as u64);
    h.store::<M, u16>(addr, h.f[i.rs2 as usize] as u16)
}

pub fn fcvt_d_h<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    require(h, i, Ext::D)?;
    float::convert::<F16, F64>(h, i, fp::convert)
}

pub fn fcvt_h_d<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    require(h, i, Ext::D)?;
    float::convert::<F64, F16>(h, i, fp::convert)
}
