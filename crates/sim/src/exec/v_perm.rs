//! Vector permutations (Unprivileged ISA manual, "Vector Permutation Instructions").

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Elem, Group};
use crate::with_sew;

/// The sign-extended element 0 of vs2, even if vl = 0. Ignores LMUL.
pub fn vmv_x_s<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_ready()?;
    let v = with_sew!(h.v.vtype.sew, T => h.v.get::<T>(i.rs2, 0).to_i64());
    h.set_x::<M>(i.rd, v as u64);
    h.v.vstart = 0;
    Ok(())
}

pub fn vmv_s_x<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    scalar_to_element_0(h, i, h.x(i.rs1))
}

/// Sets element 0 of vd, unless vstart ≥ vl; the other elements of the register are tail. Ignores LMUL.
pub(super) fn scalar_to_element_0(h: &mut Hart, i: &Insn, v: u64) -> Exec {
    h.v_ready()?;
    let sew = h.v.vtype.sew;
    if h.v.vstart < h.v.vl {
        with_sew!(sew, T => h.v.set(i.rd, 0, v as T));
    }
    h.v_finish_bytes(Group { reg: i.rd, eew: sew, emul: 0, agnostic: false }, sew as usize / 8);
    Ok(())
}

/// Checks of an instruction on groups vd and vs2 of SEW and LMUL.
fn single_width(h: &mut Hart, i: &Insn) -> Exec<(Group, Group)> {
    h.v_ready()?;
    let (vd, vs2) = (h.v_group(i.rd, 0)?, h.v_group(i.rs2, 0)?);
    h.v_not_v0(i, vd)?;
    h.v_sources(i, &[vs2])?;
    Ok((vd, vs2))
}

/// `single_width` with a vd that must not overlap vs2.
fn single_width_apart(h: &mut Hart, i: &Insn) -> Exec<Group> {
    let (vd, vs2) = single_width(h, i)?;
    h.v_disjoint(vd, vs2)?;
    Ok(vd)
}

/// Elements below `offset` keep their values under every policy.
fn slide_up(h: &mut Hart, i: &Insn, offset: u64) -> Exec {
    let vd = single_width_apart(h, i)?;
    let start = h.v.vstart.max(offset);
    with_sew!(h.v.vtype.sew, T => h.v_body_from::<T>(i, i.rd, start, |h, k| {
        h.v.set(i.rd, k, h.v.get::<T>(i.rs2, k - offset));
    }));
    h.v_finish(vd);
    Ok(())
}

pub fn vslideup_vx<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    slide_up(h, i, unsigned::<M>(h.x(i.rs1)))
}

pub fn vslideup_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    slide_up(h, i, i.imm as u64)
}

/// An x register as an unsigned number.
fn unsigned<M: Mode>(x: u64) -> u64 {
    if M::XLEN == 32 { x as u32 as u64 } else { x }
}

/// Element `k` of vs2, zero from `vlmax` on.
#[inline(always)]
fn element_or_zero<T: Elem>(h: &Hart, vs2: u8, k: u64, vlmax: u64) -> T {
    if k < vlmax { h.v.get(vs2, k) } else { T::default() }
}

fn slide_down(h: &mut Hart, i: &Insn, offset: u64) -> Exec {
    let (vd, _) = single_width(h, i)?;
    let vlmax = h.v.vlmax();
    with_sew!(h.v.vtype.sew, T => h.v_body::<T>(i, i.rd, |h, k| {
        h.v.set(i.rd, k, element_or_zero::<T>(h, i.rs2, k.saturating_add(offset), vlmax));
    }));
    h.v_finish(vd);
    Ok(())
}

pub fn vslidedown_vx<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    slide_down(h, i, unsigned::<M>(h.x(i.rs1)))
}

pub fn vslidedown_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    slide_down(h, i, i.imm as u64)
}

/// Moves vs2 up by one element and puts `v` into element 0.
pub(super) fn slide_1_up(h: &mut Hart, i: &Insn, v: u64) -> Exec {
    let vd = single_width_apart(h, i)?;
    with_sew!(h.v.vtype.sew, T => h.v_body::<T>(i, i.rd, |h, k| {
        let e = if k == 0 { v as T } else { h.v.get(i.rs2, k - 1) };
        h.v.set(i.rd, k, e);
    }));
    h.v_finish(vd);
    Ok(())
}

/// Moves vs2 down by one element and puts `v` into element vl - 1.
pub(super) fn slide_1_down(h: &mut Hart, i: &Insn, v: u64) -> Exec {
    let (vd, _) = single_width(h, i)?;
    with_sew!(h.v.vtype.sew, T => h.v_body::<T>(i, i.rd, |h, k| {
        let e = if k == h.v.vl - 1 { v as T } else { h.v.get(i.rs2, k + 1) };
        h.v.set(i.rd, k, e);
    }));
    h.v_finish(vd);
    Ok(())
}

pub fn vslide1up_vx<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    slide_1_up(h, i, h.x(i.rs1))
}

pub fn vslide1down_vx<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    slide_1_down(h, i, h.x(i.rs1))
}

/// Gathers by the indices in the group vs1.
#[inline(always)]
fn gather<T: Elem, X: Elem>(h: &mut Hart, i: &Insn, vd: Group) {
    let vlmax = h.v.vlmax();
    h.v_body::<T>(i, i.rd, |h, k| {
        let index = h.v.get::<X>(i.rs1, k).to_u64();
        h.v.set(i.rd, k, element_or_zero::<T>(h, i.rs2, index, vlmax));
    });
    h.v_finish(vd);
}

pub fn vrgather_vv<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let vd = single_width_apart(h, i)?;
    let vs1 = h.v_group(i.rs1, 0)?;
    h.v_sources(i, &[vs1])?;
    h.v_disjoint(vd, vs1)?;
    with_sew!(h.v.vtype.sew, T => gather::<T, T>(h, i, vd));
    Ok(())
}

/// The indices have EEW 16 and EMUL 16/SEW·LMUL.
pub fn vrgatherei16_vv<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let vd = single_width_apart(h, i)?;
    let vs2 = h.v_group(i.rs2, 0)?;
    let emul = h.v_emul(16);
    let vs1 = h.v_group_at(i.rs1, 16, emul)?;
    h.v_sources(i, &[vs2, vs1])?;
    h.v_disjoint(vd, vs1)?;
    with_sew!(h.v.vtype.sew, T => gather::<T, u16>(h, i, vd));
    Ok(())
}

fn splat(h: &mut Hart, i: &Insn, index: u64) -> Exec {
    let vd = single_width_apart(h, i)?;
    with_sew!(h.v.vtype.sew, T => {
        let e = element_or_zero::<T>(h, i.rs2, index, h.v.vlmax());
        h.v_body::<T>(i, i.rd, |h, k| h.v.set(i.rd, k, e));
    });
    h.v_finish(vd);
    Ok(())
}

pub fn vrgather_vx<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    splat(h, i, unsigned::<M>(h.x(i.rs1)))
}

pub fn vrgather_vi<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    splat(h, i, i.imm as u64)
}

/// Packs the elements of vs2 whose bit in the mask vs1 is set; the elements after them are tail.
pub fn vcompress_vm<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    let (vd, vs2) = single_width(h, i)?;
    let mask = h.v_mask(i.rs1);
    h.v_from_start()?;
    h.v_sources(i, &[vs2, mask])?;
    h.v_disjoint(vd, vs2)?;
    h.v_disjoint(vd, mask)?;
    let mut packed = 0;
    with_sew!(h.v.vtype.sew, T => for k in 0..h.v.vl {
        if h.v.mask_bit(i.rs1, k) {
            h.v.set(i.rd, packed, h.v.get::<T>(i.rs2, k));
            packed += 1;
        }
    });
    h.v_finish_bytes(vd, packed as usize * vd.eew as usize / 8);
    Ok(())
}

/// Copies 2^`log2` registers from element vstart of width SEW on, independent of vl.
fn whole(h: &mut Hart, i: &Insn, log2: i8) -> Exec {
    h.v_ready()?;
    let sew = h.v.vtype.sew;
    let (vd, vs2) = (h.v_group_at(i.rd, sew, log2)?, h.v_group_at(i.rs2, sew, log2)?);
    let from = h.v.vstart as usize * sew as usize / 8;
    let len = h.v.vlenb() << log2;
    if from < len {
        h.v.copy(vd.reg, vs2.reg, from..len);
    }
    h.v.vstart = 0;
    Ok(())
}

macro_rules! whole {
    ($($name:ident $log2:literal;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            whole(h, i, $log2)
        }
    )* };
}
whole! {
    vmv1r_v 0;
    vmv2r_v 1;
    vmv4r_v 2;
    vmv8r_v 3;
}
