//! Constant-stride loads and stores, with and without segments. Every access is made, even with rs2 = x0.

use super::transfer;
use super::unit::empty;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mem::Scalar;
use crate::mode::Mode;
use crate::vector::Elem;

#[inline(always)]
fn strided<M: Mode, T: Elem + Scalar, const STORE: bool>(h: &mut Hart, i: &Insn) -> Exec {
    let data = h.v_fields_eew(i, if STORE { i.rs3 } else { i.rd }, T::BITS)?;
    if STORE {
        h.v_store_sources(i, data)?;
    } else {
        h.v_not_v0(i, data.first)?;
    }
    let vl = h.v.vl;
    if empty(h, vl) {
        return Ok(());
    }
    let (base, stride) = (h.x(i.rs1), h.x(i.rs2));
    let at = |_: &_, k: u64| base.wrapping_add(k.wrapping_mul(stride));
    transfer::<M, T, STORE>(h, i, data, vl, at)?;
    if STORE {
        h.v.vstart = 0;
    } else {
        h.v_finish_fields(data, vl);
    }
    Ok(())
}

macro_rules! strided {
    ($($load:ident $store:ident $t:ty;)*) => { $(
        pub fn $load<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            strided::<M, $t, false>(h, i)
        }

        pub fn $store<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            strided::<M, $t, true>(h, i)
        }
    )* };
}
strided! {
    vlse8_v vsse8_v u8;
    vlse16_v vsse16_v u16;
    vlse32_v vsse32_v u32;
    vlse64_v vsse64_v u64;
}
