//! V: floating-point reductions. The order of unordered sums is the implementation's choice; here they are summed in
//! element order, too.

use super::float::{accrue, dynamic, handlers};
use super::v_fp::{Lane, lanes, widening};
use crate::fp::{self, Env, F32, F64};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::Elem;

lanes! {
    vfredusum_vs: reduce [fp::add];
    vfredosum_vs: reduce [fp::add];
    vfredmin_vs: reduce [fp::min];
    vfredmax_vs: reduce [fp::max];
}

handlers! {
    vfwredusum_vs: sum_wide [];
    vfwredosum_vs: sum_wide [];
}

fn reduce<F: Lane>(h: &mut Hart, i: &Insn, op: fn(&mut Env, F, F) -> F) -> Exec {
    fold::<F, F>(h, i, 0, op)
}

fn sum_wide(h: &mut Hart, i: &Insn) -> Exec {
    widening(h, i)?;
    fold::<F32, F64>(h, i, 1, |env, sum, element| {
        let element = fp::convert(env, element);
        fp::add(env, sum, element)
    })
}

/// vd\[0\] = vs1\[0\] with the active elements of vs2 folded in. Without active elements, a copy without flags; with vl =
/// 0, nothing. vd and vs1 are `by` doublings wider than vs2.
fn fold<S: Lane, D: Lane>(
    h: &mut Hart,
    i: &Insn,
    by: i8,
    op: impl Fn(&mut Env, D, S) -> D,
) -> Exec {
    let mut env = dynamic(h)?;
    let vd = h.v_form_reduce(i, by)?;
    if h.v.vl == 0 {
        return Ok(());
    }
    let mut sum = D::get(h, i.rs1, 0);
    for k in 0..h.v.vl {
        if h.v_active(i, k) {
            sum = op(&mut env, sum, S::get(h, i.rs2, k));
        }
    }
    accrue(h, env.flags);
    h.v.set(vd.reg, 0, D::E::from_u64(sum.bits()));
    h.v_finish_scalar(vd);
    Ok(())
}
