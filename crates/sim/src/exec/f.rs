//! F: single precision.

use super::float::{self, handlers};
use crate::fp::{self, F32, Fma, Int, Sgnj};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

handlers! {
    flw: float::load::<M, F32, u32> [];
    fmadd_s: float::fma::<F32> [Fma::Madd];
    fmsub_s: float::fma::<F32> [Fma::Msub];
    fnmsub_s: float::fma::<F32> [Fma::Nmsub];
    fnmadd_s: float::fma::<F32> [Fma::Nmadd];
    fadd_s: float::binary::<F32> [fp::add];
    fsub_s: float::binary::<F32> [fp::sub];
    fmul_s: float::binary::<F32> [fp::mul];
    fdiv_s: float::binary::<F32> [fp::div];
    fsqrt_s: float::unary::<F32> [fp::sqrt];
    fsgnj_s: float::select::<F32> [|_, a, b| fp::sgnj(Sgnj::Copy, a, b)];
    fsgnjn_s: float::select::<F32> [|_, a, b| fp::sgnj(Sgnj::Not, a, b)];
    fsgnjx_s: float::select::<F32> [|_, a, b| fp::sgnj(Sgnj::Xor, a, b)];
    fmin_s: float::select::<F32> [fp::min];
    fmax_s: float::select::<F32> [fp::max];
    feq_s: float::compare::<M, F32> [fp::eq];
    flt_s: float::compare::<M, F32> [fp::lt];
    fle_s: float::compare::<M, F32> [fp::le];
    fclass_s: float::classify::<M, F32> [];
    fcvt_w_s: float::to_int::<M, F32> [Int::I32];
    fcvt_wu_s: float::to_int::<M, F32> [Int::U32];
    fcvt_l_s: float::to_int::<M, F32> [Int::I64];
    fcvt_lu_s: float::to_int::<M, F32> [Int::U64];
    fcvt_s_w: float::from_int::<F32> [Int::I32];
    fcvt_s_wu: float::from_int::<F32> [Int::U32];
    fcvt_s_l: float::from_int::<F32> [Int::I64];
    fcvt_s_lu: float::from_int::<F32> [Int::U64];
    fmv_x_w: float::move_to_x::<M, F32> [];
    fmv_w_x: float::move_from_x::<F32> [];
}

/// Stores the low bits as they are, NaN-boxed or not.
pub fn fsw<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let addr = h.x(i.rs1).wrapping_add(i.imm as u64);
    h.store::<M, u32>(addr, h.f[i.rs2 as usize] as u32)
}
