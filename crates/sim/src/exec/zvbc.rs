//! Zvbc: vector carry-less multiplication, at SEW 64 only.

use crate::crypto::clmul;
use crate::hart::Hart;
use crate::host::Words;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Form, Operand};

/// vd = half of the product of vs2 and b.
fn product(h: &mut Hart, i: &Insn, b: Operand, half: Words, plain: fn(u64, u64) -> u64) -> Exec {
    h.v_ready()?;
    if h.v.vtype.sew != 64 {
        return h.illegal("carry-less multiplication at a SEW other than 64");
    }
    let vd = h.v_form(i, b, Form::SINGLE)?;
    h.v_body_of::<u64>(i, vd, |h, k| {
        let (x, y) = (h.v.get(i.rs2, k), b.get(&h.v, k));
        let r = h.host.words(half, x, y).unwrap_or_else(|| plain(x, y));
        h.v.set(vd.reg, k, r);
    });
    h.v_finish(vd);
    Ok(())
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
