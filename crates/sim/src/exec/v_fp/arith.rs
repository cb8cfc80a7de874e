//! Arithmetic whose operands and result have one width.

use super::Second::{Vf, Vv};
use super::{Lane, Second, each, lanes};
use crate::exec::float::dynamic;
use crate::fp::{self, Env, Fma, Sgnj};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Form, Operand};

lanes! {
    vfadd_vv: binary [Vv, fp::add];
    vfadd_vf: binary [Vf, fp::add];
    vfsub_vv: binary [Vv, fp::sub];
    vfsub_vf: binary [Vf, fp::sub];
    vfrsub_vf: binary [Vf, |env, a, b| fp::sub(env, b, a)];
    vfmul_vv: binary [Vv, fp::mul];
    vfmul_vf: binary [Vf, fp::mul];
    vfdiv_vv: binary [Vv, fp::div];
    vfdiv_vf: binary [Vf, fp::div];
    vfrdiv_vf: binary [Vf, |env, a, b| fp::div(env, b, a)];
    vfmin_vv: binary [Vv, fp::min];
    vfmin_vf: binary [Vf, fp::min];
    vfmax_vv: binary [Vv, fp::max];
    vfmax_vf: binary [Vf, fp::max];
    vfsgnj_vv: binary [Vv, |_, a, b| fp::sgnj(Sgnj::Copy, a, b)];
    vfsgnj_vf: binary [Vf, |_, a, b| fp::sgnj(Sgnj::Copy, a, b)];
    vfsgnjn_vv: binary [Vv, |_, a, b| fp::sgnj(Sgnj::Not, a, b)];
    vfsgnjn_vf: binary [Vf, |_, a, b| fp::sgnj(Sgnj::Not, a, b)];
    vfsgnjx_vv: binary [Vv, |_, a, b| fp::sgnj(Sgnj::Xor, a, b)];
    vfsgnjx_vf: binary [Vf, |_, a, b| fp::sgnj(Sgnj::Xor, a, b)];

    vfmacc_vv: fma [Vv, Fma::Madd, Old::Addend];
    vfmacc_vf: fma [Vf, Fma::Madd, Old::Addend];
    vfnmacc_vv: fma [Vv, Fma::Nmadd, Old::Addend];
    vfnmacc_vf: fma [Vf, Fma::Nmadd, Old::Addend];
    vfmsac_vv: fma [Vv, Fma::Msub, Old::Addend];
    vfmsac_vf: fma [Vf, Fma::Msub, Old::Addend];
    vfnmsac_vv: fma [Vv, Fma::Nmsub, Old::Addend];
    vfnmsac_vf: fma [Vf, Fma::Nmsub, Old::Addend];
    vfmadd_vv: fma [Vv, Fma::Madd, Old::Factor];
    vfmadd_vf: fma [Vf, Fma::Madd, Old::Factor];
    vfnmadd_vv: fma [Vv, Fma::Nmadd, Old::Factor];
    vfnmadd_vf: fma [Vf, Fma::Nmadd, Old::Factor];
    vfmsub_vv: fma [Vv, Fma::Msub, Old::Factor];
    vfmsub_vf: fma [Vf, Fma::Msub, Old::Factor];
    vfnmsub_vv: fma [Vv, Fma::Nmsub, Old::Factor];
    vfnmsub_vf: fma [Vf, Fma::Nmsub, Old::Factor];

    vfsqrt_v: unary [fp::sqrt];
    vfrec7_v: unary [fp::rec7];
    vfrsqrt7_v: unary [fp::rsqrt7];
    vfclass_v: unary [class];
}

/// vd\[k\] = op(vs2\[k\], vs1\[k\] or fs1).
fn binary<F: Lane>(h: &mut Hart, i: &Insn, second: Second, op: fn(&mut Env, F, F) -> F) -> Exec {
    let env = dynamic(h)?;
    let b = second.operand::<F>(h, i);
    let vd = h.v_form(i, b, Form::SINGLE)?;
    each::<F::E>(h, i, vd, env, |env, h, k| op(env, F::get(h, i.rs2, k), F::of(h, b, k)).bits())
}

/// vd\[k\] = op(vs2\[k\]).
fn unary<F: Lane>(h: &mut Hart, i: &Insn, op: fn(&mut Env, F) -> F) -> Exec {
    let env = dynamic(h)?;
    let vd = h.v_form(i, Operand::none(h, i), Form::SINGLE)?;
    each::<F::E>(h, i, vd, env, |env, h, k| op(env, F::get(h, i.rs2, k)).bits())
}

/// The class mask as an element's bits.
fn class<F: Lane>(_: &mut Env, a: F) -> F {
    F::from_bits(a.classify())
}

/// The role of vd's old element in a multiply-add.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Old {
    /// vd = ±(vs1 × vs2) ± vd.
    Addend,
    /// vd = ±(vs1 × vd) ± vs2.
    Factor,
}

fn fma<F: Lane>(h: &mut Hart, i: &Insn, second: Second, kind: Fma, old: Old) -> Exec {
    let env = dynamic(h)?;
    let b = second.operand::<F>(h, i);
    let vd = h.v_form(i, b, Form::SINGLE_ADD)?;
    each::<F::E>(h, i, vd, env, |env, h, k| {
        let (a, d) = (F::get(h, i.rs2, k), F::get(h, vd.reg, k));
        let (factor, addend) = if old == Old::Addend { (a, d) } else { (d, a) };
        fp::fma(env, kind, F::of(h, b, k), factor, addend).bits()
    })
}
