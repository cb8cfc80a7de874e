//! Vector integer arithmetic: add, logic, shift, minimum, merge, move, widening, narrowing, extension.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::vector::{
    Binary, Elem, Form, Operand, View, elements, narrow, single, widen, widen_w, with_v0,
};
use crate::{vector_handlers, vector_ops, with_sew};

vector_ops! { Binary:
    /// Sum of zero-extended operands.
    Add(a: u64, b: u64) a.wrapping_add(b);
    /// Sum of sign-extended operands.
    AddSigned(a: i64, b: i64) a.wrapping_add(b);
    /// Difference of zero-extended operands.
    Sub(a: u64, b: u64) a.wrapping_sub(b);
    /// Difference of sign-extended operands.
    SubSigned(a: i64, b: i64) a.wrapping_sub(b);
    /// Reverse difference.
    Rsub(a: u64, b: u64) b.wrapping_sub(a);
    /// Unsigned minimum.
    Minu(a: u64, b: u64) a.min(b);
    /// Signed minimum.
    Min(a: i64, b: i64) a.min(b);
    /// Unsigned maximum.
    Maxu(a: u64, b: u64) a.max(b);
    /// Signed maximum.
    Max(a: i64, b: i64) a.max(b);
    /// Bitwise and.
    And(a: u64, b: u64) a & b;
    /// Bitwise or.
    Or(a: u64, b: u64) a | b;
    /// Bitwise exclusive or.
    Xor(a: u64, b: u64) a ^ b;
    /// Shift left.
    Sll(a: u64, b: u64) a << (b & (A::BITS as u64 - 1));
    /// Logical shift right by `b` modulo the width of vs2's elements.
    Srl(a: u64, b: u64) a >> (b & (A::BITS as u64 - 1));
    /// Arithmetic shift right by `b` modulo the width of vs2's elements.
    Sra(a: i64, b: u64) a >> (b & (A::BITS as u64 - 1));
    /// Zero extension.
    Zext(a: u64, _b: u64) a;
    /// Sign extension.
    Sext(a: i64, _b: u64) a;
    /// The second operand.
    Second(_a: u64, b: u64) b;
}

vector_ops! { Ternary:
    Adc(c: u64, a: u64, b: u64) a.wrapping_add(b).wrapping_add(c);
    Sbc(c: u64, a: u64, b: u64) a.wrapping_sub(b).wrapping_sub(c);
    Merge(c: u64, a: u64, b: u64) if c != 0 { b } else { a };
}

vector_handlers! {
    single {
        Add => vadd_vv v, vadd_vx x, vadd_vi i;
        Sub => vsub_vv v, vsub_vx x;
        Rsub => vrsub_vx x, vrsub_vi i;
        Minu => vminu_vv v, vminu_vx x;
        Min => vmin_vv v, vmin_vx x;
        Maxu => vmaxu_vv v, vmaxu_vx x;
        Max => vmax_vv v, vmax_vx x;
        And => vand_vv v, vand_vx x, vand_vi i;
        Or => vor_vv v, vor_vx x, vor_vi i;
        Xor => vxor_vv v, vxor_vx x, vxor_vi i;
        Sll => vsll_vv v, vsll_vx x, vsll_vi i;
        Srl => vsrl_vv v, vsrl_vx x, vsrl_vi i;
        Sra => vsra_vv v, vsra_vx x, vsra_vi i;
        // Encoded as unmasked merges with vs2 = v0, which breaks no rule: v0 is aligned for any group and has the
        // other operands' EEW.
        Second => vmv_v_v v, vmv_v_x x, vmv_v_i i;
    }
    with_v0 {
        Adc => vadc_vvm v, vadc_vxm x, vadc_vim i;
        Sbc => vsbc_vvm v, vsbc_vxm x;
        Merge => vmerge_vvm v, vmerge_vxm x, vmerge_vim i;
    }
    narrow {
        Srl => vnsrl_wv v, vnsrl_wx x, vnsrl_wi i;
        Sra => vnsra_wv v, vnsra_wx x, vnsra_wi i;
    }
    widen {
        Add => vwaddu_vv v, vwaddu_vx x;
        AddSigned => vwadd_vv v, vwadd_vx x;
        Sub => vwsubu_vv v, vwsubu_vx x;
        SubSigned => vwsub_vv v, vwsub_vx x;
    }
    widen_w {
        Add => vwaddu_wv v, vwaddu_wx x;
        AddSigned => vwadd_wv v, vwadd_wx x;
        Sub => vwsubu_wv v, vwsubu_wx x;
        SubSigned => vwsub_wv v, vwsub_wx x;
    }
    extend2 {
        Zext => vzext_vf2 none;
        Sext => vsext_vf2 none;
    }
    extend4 {
        Zext => vzext_vf4 none;
        Sext => vsext_vf4 none;
    }
    extend8 {
        Zext => vzext_vf8 none;
        Sext => vsext_vf8 none;
    }
}

fn extend2<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    extend::<O>(h, i, b, 1)
}

fn extend4<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    extend::<O>(h, i, b, 2)
}

fn extend8<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    extend::<O>(h, i, b, 3)
}

/// vd = op(vs2), where vs2 is narrower by the factor 2^n.
fn extend<O: Binary>(h: &mut Hart, i: &Insn, b: Operand, n: u32) -> Exec {
    let vd = h.v_form(i, b, Form::extend(n as i8))?;
    let sew = h.v.vtype.sew;
    with_sew!(sew >> n, A => with_sew!(sew, R => elements::<O, A, R, R>(h, i, vd, b)));
    h.v_finish(vd);
    Ok(())
}
