//! Whole-register loads and stores: independent of vtype and vl, so legal with vill set.

use super::Fields;
use super::unit::{empty, run};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mem::Scalar;
use crate::mode::Mode;
use crate::vector::Elem;

/// Moves 2^`log2` registers; vstart counts elements of type `T`.
#[inline(always)]
fn whole<M: Mode, T: Elem + Scalar, const STORE: bool>(h: &mut Hart, i: &Insn, log2: i8) -> Exec {
    let reg = if STORE { i.rs3 } else { i.rd };
    let data = Fields { first: h.v_group_at(reg, T::BITS, log2)?, count: 1 };
    let end = (h.v.vlen() << log2) / T::BITS as u64;
    if !empty(h, end) {
        run::<M, T, STORE>(h, i, data, end)?;
        h.v.vstart = 0;
    }
    Ok(())
}

macro_rules! whole {
    ($($log2:literal $store:ident $($load:ident $t:ty),*;)*) => { $(
        $(pub fn $load<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            whole::<M, $t, false>(h, i, $log2)
        })*

        pub fn $store<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            whole::<M, u8, true>(h, i, $log2)
        }
    )* };
}
whole! {
    0 vs1r_v vl1re8_v u8, vl1re16_v u16, vl1re32_v u32, vl1re64_v u64;
    1 vs2r_v vl2re8_v u8, vl2re16_v u16, vl2re32_v u32, vl2re64_v u64;
    2 vs4r_v vl4re8_v u8, vl4re16_v u16, vl4re32_v u32, vl4re64_v u64;
    3 vs8r_v vl8re8_v u8, vl8re16_v u16, vl8re32_v u32, vl8re64_v u64;
}
