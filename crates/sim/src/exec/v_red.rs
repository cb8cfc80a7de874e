//! Vector integer reductions.

use super::v_int::{Add, AddSigned, And, Max, Maxu, Min, Minu, Or, Xor};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::vector::{Binary, Elem, Operand};
use crate::{vector_handlers, with_sew, with_wide};

vector_handlers! {
    reduce {
        Add => vredsum_vs none;
        And => vredand_vs none;
        Or => vredor_vs none;
        Xor => vredxor_vs none;
        Minu => vredminu_vs none;
        Min => vredmin_vs none;
        Maxu => vredmaxu_vs none;
        Max => vredmax_vs none;
    }
    widen_reduce {
        Add => vwredsumu_vs none;
        AddSigned => vwredsum_vs none;
    }
}

fn reduce<O: Binary>(h: &mut Hart, i: &Insn, _: Operand) -> Exec {
    let vd = h.v_form_reduce(i, 0)?;
    with_sew!(h.v.vtype.sew, T => fold::<O, T, T>(h, i));
    h.v_finish_scalar(vd);
    Ok(())
}

fn widen_reduce<O: Binary>(h: &mut Hart, i: &Insn, _: Operand) -> Exec {
    let vd = h.v_form_reduce(i, 1)?;
    with_wide!(h.v.vtype.sew, T, W => fold::<O, T, W>(h, i));
    h.v_finish_scalar(vd);
    Ok(())
}

/// vd\[0\] = vs1\[0\] op each active element of vs2; nothing if vl = 0.
fn fold<O: Binary, T: Elem, R: Elem>(h: &mut Hart, i: &Insn) {
    if h.v.vl == 0 {
        return;
    }
    let mut r = h.v.get::<R>(i.rs1, 0);
    for k in 0..h.v.vl {
        if h.v_active(i, k) {
            r = O::eval::<R, T, R>(r, h.v.get(i.rs2, k));
        }
    }
    h.v.set(i.rd, 0, r);
}
