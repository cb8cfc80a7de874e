//! Arithmetic on single-precision sources with a double-precision result. The sources are
//! widened, exactly; then the operation is that of the wide format.

use super::Second::{self, Vf, Vv};
use super::{Lane, each, widening};
use crate::exec::float::{dynamic, handlers};
use crate::fp::{self, Env, F32, F64, Float, Fma};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Form, Group, Operand};

handlers! {
    vfwadd_vv: binary [Vv, fp::add];
    vfwadd_vf: binary [Vf, fp::add];
    vfwsub_vv: binary [Vv, fp::sub];
    vfwsub_vf: binary [Vf, fp::sub];
    vfwmul_vv: binary [Vv, fp::mul];
    vfwmul_vf: binary [Vf, fp::mul];
    vfwadd_wv: binary_wide [Vv, fp::add];
    vfwadd_wf: binary_wide [Vf, fp::add];
    vfwsub_wv: binary_wide [Vv, fp::sub];
    vfwsub_wf: binary_wide [Vf, fp::sub];
    vfwmacc_vv: fma [Vv, Fma::Madd];
    vfwmacc_vf: fma [Vf, Fma::Madd];
    vfwnmacc_vv: fma [Vv, Fma::Nmadd];
    vfwnmacc_vf: fma [Vf, Fma::Nmadd];
    vfwmsac_vv: fma [Vv, Fma::Msub];
    vfwmsac_vf: fma [Vf, Fma::Msub];
    vfwnmsac_vv: fma [Vv, Fma::Nmsub];
    vfwnmsac_vf: fma [Vf, Fma::Nmsub];
}

type Operation = fn(&mut Env, F64, F64) -> F64;

/// vd\[k\] = op(vs2\[k\], vs1\[k\] or fs1), both sources narrow.
fn binary(h: &mut Hart, i: &Insn, second: Second, op: Operation) -> Exec {
    let (env, b, vd) = operands(h, i, second, Form::WIDEN)?;
    each::<u64>(h, i, vd, env, |env, h, k| {
        let a = fp::convert(env, F32::get(h, i.rs2, k));
        let b = fp::convert(env, F32::of(h, b, k));
        op(env, a, b).bits()
    })
}

/// vd\[k\] = op(vs2\[k\], vs1\[k\] or fs1), vs2 as wide as the result.
fn binary_wide(h: &mut Hart, i: &Insn, second: Second, op: Operation) -> Exec {
    let (env, b, vd) = operands(h, i, second, Form::WIDEN_W)?;
    each::<u64>(h, i, vd, env, |env, h, k| {
        let b = fp::convert(env, F32::of(h, b, k));
        op(env, F64::get(h, i.rs2, k), b).bits()
    })
}

/// vd\[k\] = ±((vs1\[k\] or fs1) × vs2\[k\]) ± vd\[k\].
fn fma(h: &mut Hart, i: &Insn, second: Second, kind: Fma) -> Exec {
    let (env, b, vd) = operands(h, i, second, Form::WIDEN_ADD)?;
    each::<u64>(h, i, vd, env, |env, h, k| {
        let a = fp::convert(env, F32::of(h, b, k));
        let b = fp::convert(env, F32::get(h, i.rs2, k));
        fp::fma(env, kind, a, b, F64::get(h, vd.reg, k)).bits()
    })
}

/// Environment, second operand and destination, after all checks.
fn operands(h: &mut Hart, i: &Insn, second: Second, form: Form) -> Exec<(Env, Operand, Group)> {
    widening(h, i)?;
    let env = dynamic(h)?;
    let b = second.operand::<F32>(h, i);
    Ok((env, b, h.v_form(i, b, form)?))
}
