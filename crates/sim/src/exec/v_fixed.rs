//! Vector fixed-point arithmetic: saturating, averaging, scaling, clipping.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::vector::{Elem, Form, Group, Operand, View};
use crate::{vector_handlers, with_sew, with_wide};

/// A fixed-point operation.
trait Fixed {
    /// The exact result, rounded under `rm`; the caller fits it into an `R`.
    fn exact<A: Elem, B: Elem>(a: A, b: B, rm: u8) -> i128;
    /// How a result that does not fit is handled.
    const FIT: Fit;
}

enum Fit {
    Wrap,
    SaturateSigned,
    SaturateUnsigned,
}

impl Fit {
    /// The result in the low bits of `R`, and whether it was saturated.
    #[inline(always)]
    fn fit<R: Elem>(self, v: i128) -> (R, bool) {
        let half = 1 << (R::BITS - 1);
        let clipped = match self {
            Fit::Wrap => v,
            Fit::SaturateSigned => v.clamp(-half, half - 1),
            Fit::SaturateUnsigned => v.clamp(0, 2 * half - 1),
        };
        (R::from_u64(clipped as u64), clipped != v)
    }
}

/// v / 2^d, rounded under `rm` (Unprivileged ISA manual, "Vector Fixed-Point Rounding Mode Register").
#[inline(always)]
fn roundoff(v: i128, d: u32, rm: u8) -> i128 {
    let down = v >> d;
    let lost = v & ((1 << d) - 1);
    // This includes d = 0, for which `half` would not be an integer.
    if lost == 0 {
        return down;
    }
    let half = 1 << (d - 1);
    let up = match rm {
        0 => lost >= half,
        1 => lost > half || (lost == half && down & 1 != 0),
        2 => false,
        _ => down & 1 == 0,
    };
    down + up as i128
}

macro_rules! fixed {
    ($($fit:ident { $($op:ident($a:ident: $ta:ty, $b:ident: $tb:ty, $rm:ident) $e:expr;)+ })+) => { $($(
        struct $op;
        impl Fixed for $op {
            const FIT: Fit = Fit::$fit;
            #[inline(always)]
            fn exact<A: Elem, B: Elem>($a: A, $b: B, $rm: u8) -> i128 {
                let ($a, $b) = (<$ta as View>::of($a) as i128, <$tb as View>::of($b) as i128);
                $e
            }
        }
    )+)+ };
}

/// A shift amount modulo the width of `A`.
macro_rules! amount {
    ($b:expr) => {
        $b as u32 & (A::BITS - 1)
    };
}

fixed! {
    SaturateUnsigned {
        Addu(a: u64, b: u64, _rm) a + b;
        Subu(a: u64, b: u64, _rm) a - b;
        Clipu(a: u64, b: u64, rm) roundoff(a, amount!(b), rm);
    }
    SaturateSigned {
        Add(a: i64, b: i64, _rm) a + b;
        Sub(a: i64, b: i64, _rm) a - b;
        Mul(a: i64, b: i64, rm) roundoff(a * b, A::BITS - 1, rm);
        Clip(a: i64, b: u64, rm) roundoff(a, amount!(b), rm);
    }
    Wrap {
        AverageAddu(a: u64, b: u64, rm) roundoff(a + b, 1, rm);
        AverageAdd(a: i64, b: i64, rm) roundoff(a + b, 1, rm);
        AverageSubu(a: u64, b: u64, rm) roundoff(a - b, 1, rm);
        AverageSub(a: i64, b: i64, rm) roundoff(a - b, 1, rm);
        Srl(a: u64, b: u64, rm) roundoff(a, amount!(b), rm);
        Sra(a: i64, b: u64, rm) roundoff(a, amount!(b), rm);
    }
}

vector_handlers! {
    fixed {
        Addu => vsaddu_vv v, vsaddu_vx x, vsaddu_vi i;
        Add => vsadd_vv v, vsadd_vx x, vsadd_vi i;
        Subu => vssubu_vv v, vssubu_vx x;
        Sub => vssub_vv v, vssub_vx x;
        AverageAddu => vaaddu_vv v, vaaddu_vx x;
        AverageAdd => vaadd_vv v, vaadd_vx x;
        AverageSubu => vasubu_vv v, vasubu_vx x;
        AverageSub => vasub_vv v, vasub_vx x;
        Srl => vssrl_vv v, vssrl_vx x, vssrl_vi i;
        Sra => vssra_vv v, vssra_vx x, vssra_vi i;
    }
    fractional {
        Mul => vsmul_vv v, vsmul_vx x;
    }
    clip {
        Clipu => vnclipu_wv v, vnclipu_wx x, vnclipu_wi i;
        Clip => vnclip_wv v, vnclip_wx x, vnclip_wi i;
    }
}

fn fixed<O: Fixed>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::SINGLE)?;
    with_sew!(h.v.vtype.sew, T => elements::<O, T, T>(h, i, vd, b));
    h.v_finish(vd);
    Ok(())
}

fn fractional<O: Fixed>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    h.v_high_product(i)?;
    fixed::<O>(h, i, b)
}

fn clip<O: Fixed>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::NARROW)?;
    with_wide!(h.v.vtype.sew, T, W => elements::<O, W, T>(h, i, vd, b));
    h.v_finish(vd);
    Ok(())
}

#[inline(always)]
fn elements<O: Fixed, A: Elem, R: Elem>(h: &mut Hart, i: &Insn, vd: Group, b: Operand) {
    let rm = h.v.vxrm;
    h.v_body_of::<R>(i, vd, |h, k| {
        let exact = O::exact::<A, R>(h.v.get(i.rs2, k), b.get(&h.v, k), rm);
        let (r, saturated) = O::FIT.fit::<R>(exact);
        h.v.set(vd.reg, k, r);
        h.v.vxsat |= saturated;
    });
}
