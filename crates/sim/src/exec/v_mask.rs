//! Vector mask instructions (Unprivileged ISA manual, "Vector Mask Instructions").

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::with_sew;

/// Sets bits vstart..vl of vd to `f` of the bytes of vs2 and vs1. Never masked, one register whatever LMUL is; vd may
/// be a source.
#[inline(always)]
fn logical(h: &mut Hart, i: &Insn, f: impl Fn(u8, u8) -> u8) -> Exec {
    h.v_ready()?;
    let (start, end) = (h.v.vstart as usize, h.v.vl as usize);
    for byte in start / 8..end.div_ceil(8) {
        let from = start.saturating_sub(byte * 8);
        let to = (end - byte * 8).min(8);
        let body = if from < to { 0xff >> (8 - to + from) << from } else { 0 };
        let result = f(h.v.bytes(i.rs2)[byte], h.v.bytes(i.rs1)[byte]);
        let vd = &mut h.v.bytes_mut(i.rd)[byte];
        *vd = *vd & !body | result & body;
    }
    h.v_finish_mask(i.rd);
    Ok(())
}

macro_rules! logical {
    ($($name:ident: |$a:ident, $b:ident| $e:expr;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            logical(h, i, |$a, $b| $e)
        }
    )* };
}
logical! {
    vmand_mm: |a, b| a & b;
    vmnand_mm: |a, b| !(a & b);
    vmandn_mm: |a, b| a & !b;
    vmxor_mm: |a, b| a ^ b;
    vmor_mm: |a, b| a | b;
    vmnor_mm: |a, b| !(a | b);
    vmorn_mm: |a, b| a | !b;
    vmxnor_mm: |a, b| !(a ^ b);
}

/// Checks of instructions that read the whole mask vs2 and therefore cannot be resumed.
fn whole_mask(h: &mut Hart) -> Exec {
    h.v_ready()?;
    h.v_from_start()
}

/// Whether element `k` of the mask vs2 is active and set.
#[inline(always)]
fn set(h: &Hart, i: &Insn, k: u64) -> bool {
    h.v_active(i, k) && h.v.mask_bit(i.rs2, k)
}

pub fn vcpop_m<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    whole_mask(h)?;
    let count = (0..h.v.vl).filter(|&k| set(h, i, k)).count();
    h.set_x::<M>(i.rd, count as u64);
    Ok(())
}

/// -1 if no bit is set.
pub fn vfirst_m<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    whole_mask(h)?;
    let first = (0..h.v.vl).find(|&k| set(h, i, k));
    h.set_x::<M>(i.rd, first.unwrap_or(u64::MAX));
    Ok(())
}

/// Sets the active bits of vd to `f(before, at)`: whether the bit is before the first active set bit of vs2, or at
/// it.
#[inline(always)]
fn around_first(h: &mut Hart, i: &Insn, f: impl Fn(bool, bool) -> bool) -> Exec {
    whole_mask(h)?;
    let vd = h.v_mask(i.rd);
    h.v_disjoint(vd, h.v_mask(i.rs2))?;
    h.v_not_v0(i, vd)?;
    let first = (0..h.v.vl).find(|&k| set(h, i, k)).unwrap_or(u64::MAX);
    let ones = h.v_ones_if_inactive();
    for k in 0..h.v.vl {
        if h.v_active(i, k) {
            h.v.set_mask_bit(i.rd, k, f(k < first, k == first));
        } else if ones {
            h.v.set_mask_bit(i.rd, k, true);
        }
    }
    h.v_finish_mask(i.rd);
    Ok(())
}

pub fn vmsbf_m<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    around_first(h, i, |before, _| before)
}

pub fn vmsif_m<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    around_first(h, i, |before, at| before || at)
}

pub fn vmsof_m<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    around_first(h, i, |_, at| at)
}

/// The number of active set bits of vs2 below each element.
pub fn viota_m<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    whole_mask(h)?;
    let vd = h.v_group(i.rd, 0)?;
    h.v_disjoint(vd, h.v_mask(i.rs2))?;
    h.v_not_v0(i, vd)?;
    let mut count = 0;
    with_sew!(h.v.vtype.sew, T => h.v_body::<T>(i, i.rd, |h, k| {
        h.v.set(i.rd, k, count as T);
        count += h.v.mask_bit(i.rs2, k) as u64;
    }));
    h.v_finish(vd);
    Ok(())
}

pub fn vid_v<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
    h.v_ready()?;
    let vd = h.v_group(i.rd, 0)?;
    h.v_not_v0(i, vd)?;
    with_sew!(h.v.vtype.sew, T => h.v_body::<T>(i, i.rd, |h, k| h.v.set(i.rd, k, k as T)));
    h.v_finish(vd);
    Ok(())
}
