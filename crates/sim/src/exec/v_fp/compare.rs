//! Comparisons into a mask.

use super::Second::{self, Vf, Vv};
use super::{Lane, lanes};
use crate::exec::float::{accrue, dynamic};
use crate::fp::{self, Env};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Form;

lanes! {
    vmfeq_vv: compare [Vv, fp::eq];
    vmfeq_vf: compare [Vf, fp::eq];
    vmfne_vv: compare [Vv, |env, a, b| !fp::eq(env, a, b)];
    vmfne_vf: compare [Vf, |env, a, b| !fp::eq(env, a, b)];
    vmflt_vv: compare [Vv, fp::lt];
    vmflt_vf: compare [Vf, fp::lt];
    vmfle_vv: compare [Vv, fp::le];
    vmfle_vf: compare [Vf, fp::le];
    vmfgt_vf: compare [Vf, |env, a, b| fp::lt(env, b, a)];
    vmfge_vf: compare [Vf, |env, a, b| fp::le(env, b, a)];
}

/// vd.mask\[k\] = op(vs2\[k\], vs1\[k\] or fs1).
fn compare<F: Lane>(
    h: &mut Hart,
    i: &Insn,
    second: Second,
    op: fn(&mut Env, F, F) -> bool,
) -> Exec {
    let mut env = dynamic(h)?;
    let b = second.operand::<F>(h, i);
    let vd = h.v_form_mask(i, b, Form::SINGLE)?;
    h.v_body_mask(i, vd, |h, k| op(&mut env, F::get(h, i.rs2, k), F::of(h, b, k)));
    accrue(h, env.flags);
    h.v_finish_mask(vd.reg);
    Ok(())
}
