//! Indexed loads and stores, with and without segments. The unordered forms are executed in order as well.
//!
//! The instruction encodes the EEW of the indices; data have SEW and LMUL.

use super::unit::empty;
use super::{Fields, transfer};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Elem, Group};
use crate::with_sew;

/// The index operand. RV32 has no EEW 64.
fn indices<M: Mode, X: Elem>(h: &mut Hart, i: &Insn) -> Exec<Group> {
    if X::BITS > M::XLEN {
        return h.illegal("indices wider than XLEN");
    }
    let emul = h.v_emul(X::BITS);
    h.v_group_at(i.rs2, X::BITS, emul)
}

fn check_load(h: &mut Hart, i: &Insn, data: Fields, index: Group) -> Exec {
    h.v_not_v0(i, data.first)?;
    h.v_sources(i, &[index])?;
    if data.count == 1 {
        return h.v_overlap(data.first, index).map(|_| ());
    }
    data.iter().try_for_each(|g| h.v_disjoint(g, index))
}

fn check_store(h: &mut Hart, i: &Insn, data: Fields, index: Group) -> Exec {
    data.iter().try_for_each(|g| h.v_sources(i, &[g, index]))
}

#[inline(always)]
fn indexed<M: Mode, X: Elem, const STORE: bool>(h: &mut Hart, i: &Insn) -> Exec {
    let t = h.v.vtype;
    let data = h.v_fields(i, if STORE { i.rs3 } else { i.rd }, t.sew, t.lmul)?;
    let index = indices::<M, X>(h, i)?;
    if STORE {
        check_store(h, i, data, index)?;
    } else {
        check_load(h, i, data, index)?;
    }
    let vl = h.v.vl;
    if empty(h, vl) {
        return Ok(());
    }
    let base = h.x(i.rs1);
    with_sew!(t.sew, T => transfer::<M, T, STORE>(h, i, data, vl, |v, k| {
        base.wrapping_add(v.get::<X>(index.reg, k).to_u64())
    }))?;
    if STORE {
        h.v.vstart = 0;
    } else {
        h.v_finish_fields(data, vl);
    }
    Ok(())
}

macro_rules! indexed {
    ($($load:ident $load_ordered:ident $store:ident $store_ordered:ident $x:ty;)*) => { $(
        pub fn $load<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            indexed::<M, $x, false>(h, i)
        }

        pub fn $store<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            indexed::<M, $x, true>(h, i)
        }

        pub use {$load as $load_ordered, $store as $store_ordered};
    )* };
}
indexed! {
    vluxei8_v vloxei8_v vsuxei8_v vsoxei8_v u8;
    vluxei16_v vloxei16_v vsuxei16_v vsoxei16_v u16;
    vluxei32_v vloxei32_v vsuxei32_v vsoxei32_v u32;
    vluxei64_v vloxei64_v vsuxei64_v vsoxei64_v u64;
}
