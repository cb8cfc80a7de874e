//! Merge, moves and slides by one with a floating-point scalar.

use super::{Lane, each, lanes};
use crate::exec::float::{dynamic, read};
use crate::exec::v_perm::{scalar_to_element_0, slide_1_down, slide_1_up};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Elem, Form, Operand};

lanes! {
    vfmerge_vfm: merge [];
    vfmv_v_f: splat [];
    vfmv_s_f: set_first [];
    vfmv_f_s: get_first [];
    vfslide1up_vf: slide_up [];
    vfslide1down_vf: slide_down [];
}

/// The scalar's bits.
fn scalar<F: Lane>(h: &Hart, i: &Insn) -> u64 {
    read::<F>(h, i.rs1).bits()
}

/// vd\[k\] = v0.mask\[k\] ? fs1 : vs2\[k\], for the whole body.
fn merge<F: Lane>(h: &mut Hart, i: &Insn) -> Exec {
    dynamic(h)?;
    let vd = h.v_form(i, Operand::none(h, i), Form::SINGLE_V0)?;
    let value = F::E::from_u64(scalar::<F>(h, i));
    for k in h.v.vstart..h.v.vl {
        let element = if h.v.mask_bit(0, k) { value } else { h.v.get(i.rs2, k) };
        h.v.set(vd.reg, k, element);
    }
    h.v_finish(vd);
    Ok(())
}

/// vd\[k\] = fs1.
fn splat<F: Lane>(h: &mut Hart, i: &Insn) -> Exec {
    let env = dynamic(h)?;
    let vd = h.v_group(i.rd, 0)?;
    let value = scalar::<F>(h, i);
    each::<F::E>(h, i, vd, env, |_, _, _| value)
}

/// vd\[0\] = fs1.
fn set_first<F: Lane>(h: &mut Hart, i: &Insn) -> Exec {
    dynamic(h)?;
    scalar_to_element_0(h, i, scalar::<F>(h, i))
}

/// fd = vs2\[0\], whatever vl, vstart and LMUL.
fn get_first<F: Lane>(h: &mut Hart, i: &Insn) -> Exec {
    dynamic(h)?;
    h.f[i.rd as usize] = F::get(h, i.rs2, 0).nan_box();
    h.v.vstart = 0;
    Ok(())
}

/// vd\[0\] = fs1, vd\[k\] = vs2\[k − 1\].
fn slide_up<F: Lane>(h: &mut Hart, i: &Insn) -> Exec {
    dynamic(h)?;
    slide_1_up(h, i, scalar::<F>(h, i))
}

/// vd\[vl − 1\] = fs1, vd\[k\] = vs2\[k + 1\].
fn slide_down<F: Lane>(h: &mut Hart, i: &Insn) -> Exec {
    dynamic(h)?;
    slide_1_down(h, i, scalar::<F>(h, i))
}
