//! Zvbc: vector carry-less multiplication at SEW 64, and Zvbc32e, a draft: the same at SEW 8, 16 and 32.

use crate::crypto::clmul;
use crate::hart::Hart;
use crate::host::Words;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Elem, Form, Group, Operand};
use crate::with_sew;
use capvec_isa::Ext;

/// vd = half of the product of vs2 and b.
fn product(h: &mut Hart, i: &Insn, b: Operand, half: Words, plain: fn(u64, u64) -> u64) -> Exec {
    h.v_ready()?;
    let needed = if h.v.vtype.sew == 64 { Ext::Zvbc } else { Ext::Zvbc32e0p7 };
    if !h.has(needed) {
        return h
            .illegal("carry-less multiplication at a SEW that no extension of the hart provides");
    }
    let vd = h.v_form(i, b, Form::SINGLE)?;
    if h.v.vtype.sew != 64 {
        with_sew!(h.v.vtype.sew, T => narrow::<T>(h, i, vd, b, half));
        return Ok(());
    }
    h.v_body_of::<u64>(i, vd, |h, k| {
        let (x, y) = (h.v.get(i.rs2, k), b.get(&h.v, k));
        let r = h.host.words(half, x, y).unwrap_or_else(|| plain(x, y));
        h.v.set(vd.reg, k, r);
    });
    h.v_finish(vd);
    Ok(())
}

/// The same for elements of at most 32 bits, whose product of twice the width fits in 64.
fn narrow<T: Elem>(h: &mut Hart, i: &Insn, vd: Group, b: Operand, half: Words) {
    let shift = if half == Words::ClmulHigh { T::BITS } else { 0 };
    h.v_body_of::<T>(i, vd, |h, k| {
        let (x, y): (T, T) = (h.v.get(i.rs2, k), b.get(&h.v, k));
        let product = clmul::clmul(x.to_u64(), y.to_u64());
        h.v.set(vd.reg, k, T::from_u64(product >> shift));
    });
    h.v_finish(vd);
}

macro_rules! products {
    ($($name:ident: $operand:ident, $half:ident, $plain:ident;)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let b = Operand::$operand(h, i);
            product(h, i, b, Words::$half, clmul::$plain)
        }
    )* };
}

products! {
    vclmul_vv: v, Clmul, clmul;
    vclmul_vx: x, Clmul, clmul;
    vclmulh_vv: v, ClmulHigh, clmulh;
    vclmulh_vx: x, ClmulHigh, clmulh;
}
