//! Zvbc: vector carry-less multiplication, at SEW 64 only.

use crate::crypto::clmul;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::vector::{Binary, Elem, Operand, View, single};
use crate::{vector_handlers, vector_ops};

vector_ops! { Binary:
    /// Lower half of the product.
    Low(a: u64, b: u64) clmul::clmul(a, b);
    /// Upper half of the product.
    High(a: u64, b: u64) clmul::clmulh(a, b);
}

fn product<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    h.v_ready()?;
    if h.v.vtype.sew != 64 {
        return h.illegal("carry-less multiplication at a SEW other than 64");
    }
    single::<O>(h, i, b)
}

vector_handlers! {
    product {
        Low => vclmul_vv v, vclmul_vx x;
        High => vclmulh_vv v, vclmulh_vx x;
    }
}
