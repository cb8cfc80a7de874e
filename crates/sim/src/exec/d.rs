//! D: double precision.

use super::float::{self, handlers};
use crate::fp::{self, F32, F64, Fma, Int, Sgnj};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

handlers! {
    fld: float::load::<M, F64, u64> [];
    fmadd_d: float::fma::<F64> [Fma::Madd];
    fmsub_d: float::fma::<F64> [Fma::Msub];
    fnmsub_d: float::fma::<F64> [Fma::Nmsub];
    fnmadd_d: float::fma::<F64> [Fma::Nmadd];
    fadd_d: float::binary::<F64> [fp::add];
    fsub_d: float::binary::<F64> [fp::sub];
    fmul_d: float::binary::<F64> [fp::mul];
    fdiv_d: float::binary::<F64> [fp::div];
    fsqrt_d: float::unary::<F64> [fp::sqrt];
    fsgnj_d: float::select::<F64> [|_, a, b| fp::sgnj(Sgnj::Copy, a, b)];
    fsgnjn_d: float::select::<F64> [|_, a, b| fp::sgnj(Sgnj::Not, a, b)];
    fsgnjx_d: float::select::<F64> [|_, a, b| fp::sgnj(Sgnj::Xor, a, b)];
    fmin_d: float::select::<F64> [fp::min];
    fmax_d: float::select::<F64> [fp::max];
    feq_d: float::compare::<M, F64> [fp::eq];
    flt_d: float::compare::<M, F64> [fp::lt];
    fle_d: float::compare::<M, F64> [fp::le];
    fclass_d: float::classify::<M, F64> [];
    fcvt_w_d: float::to_int::<M, F64> [Int::I32];
    fcvt_wu_d: float::to_int::<M, F64> [Int::U32];
    fcvt_l_d: float::to_int::<M, F64> [Int::I64];
    fcvt_lu_d: float::to_int::<M, F64> [Int::U64];
    fcvt_d_w: float::from_int::<F64> [Int::I32];
    fcvt_d_wu: float::from_int::<F64> [Int::U32];
    fcvt_d_l: float::from_int::<F64> [Int::I64];
    fcvt_d_lu: float::from_int::<F64> [Int::U64];
    fmv_x_d: float::move_to_x::<M, F64> [];
    fmv_d_x: float::move_from_x::<F64> [];
    fcvt_s_d: float::convert::<F64, F32> [fp::convert];
    fcvt_d_s: float::convert::<F32, F64> [fp::convert];
}

/// Stores the low bits as they are, NaN-boxed or not.
pub fn fsd<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let addr = h.x(i.rs1).wrapping_add(i.imm as u64);
    h.store::<M, u64>(addr, h.f[i.rs2 as usize])
}
