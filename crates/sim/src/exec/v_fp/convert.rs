//! Conversions between floating point and integers and between formats.

use super::{each, no_format};
use crate::exec::float::{dynamic, handlers, require};
use crate::fp::{self, Env, F16, F32, F64, Float, Int, Rm};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;
use crate::vector::{Elem, Form, Operand};
use crate::with_sew;
use capvec_isa::Ext;

/// The kind of number in an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float,
    Signed,
    Unsigned,
}

use Kind::{Float as F, Signed as X, Unsigned as Xu};

/// Rounds by frm.
const FRM: Option<Rm> = None;
const RTZ: Option<Rm> = Some(Rm::Rtz);
const ROD: Option<Rm> = Some(Rm::Rod);

handlers! {
    vfcvt_xu_f_v: convert [Form::SINGLE, F, Xu, FRM];
    vfcvt_x_f_v: convert [Form::SINGLE, F, X, FRM];
    vfcvt_rtz_xu_f_v: convert [Form::SINGLE, F, Xu, RTZ];
    vfcvt_rtz_x_f_v: convert [Form::SINGLE, F, X, RTZ];
    vfcvt_f_xu_v: convert [Form::SINGLE, Xu, F, FRM];
    vfcvt_f_x_v: convert [Form::SINGLE, X, F, FRM];
    vfwcvt_xu_f_v: convert [Form::WIDEN, F, Xu, FRM];
    vfwcvt_x_f_v: convert [Form::WIDEN, F, X, FRM];
    vfwcvt_rtz_xu_f_v: convert [Form::WIDEN, F, Xu, RTZ];
    vfwcvt_rtz_x_f_v: convert [Form::WIDEN, F, X, RTZ];
    vfwcvt_f_xu_v: convert [Form::WIDEN, Xu, F, FRM];
    vfwcvt_f_x_v: convert [Form::WIDEN, X, F, FRM];
    vfwcvt_f_f_v: convert [Form::WIDEN, F, F, FRM];
    vfncvt_xu_f_w: convert [Form::NARROW, F, Xu, FRM];
    vfncvt_x_f_w: convert [Form::NARROW, F, X, FRM];
    vfncvt_rtz_xu_f_w: convert [Form::NARROW, F, Xu, RTZ];
    vfncvt_rtz_x_f_w: convert [Form::NARROW, F, X, RTZ];
    vfncvt_f_xu_w: convert [Form::NARROW, Xu, F, FRM];
    vfncvt_f_x_w: convert [Form::NARROW, X, F, FRM];
    vfncvt_f_f_w: convert [Form::NARROW, F, F, FRM];
    vfncvt_rod_f_f_w: convert [Form::NARROW, F, F, ROD];
}

/// vd\[k\] = vs2\[k\] as another kind of number.
fn convert(h: &mut Hart, i: &Insn, form: Form, from: Kind, to: Kind, rm: Option<Rm>) -> Exec {
    // A reserved frm traps even where the mode is static.
    let mut env = dynamic(h)?;
    env.rm = rm.unwrap_or(env.rm);
    let vd = h.v_form(i, Operand::none(h, i), form)?;
    let source = h.v.vtype.sew << form.vs2;
    // Zvfhmin has only the conversions between half and single precision that round by frm.
    let half = from == to && rm.is_none();
    for (kind, width) in [(from, source), (to, vd.eew)] {
        if kind == Kind::Float {
            format_exists(h, i, width, half)?;
        }
    }
    let (from, to) = ((from, source), (to, vd.eew));
    with_sew!(vd.eew, D => each::<D>(h, i, vd, env, |env, h, k| {
        let bits = with_sew!(source, S => h.v.get::<S>(i.rs2, k).to_u64());
        element(env, from, to, bits)
    }))
}

/// Traps unless floating-point elements of this width are legal.
fn format_exists(h: &mut Hart, i: &Insn, width: u32, half: bool) -> Exec {
    match width {
        16 if half => require(h, i, Ext::Zvfhmin),
        32 => Ok(()),
        64 => require(h, i, Ext::Zve64d),
        _ => no_format(h),
    }
}

/// One element, by kind and width in bits.
fn element(env: &mut Env, from: (Kind, u32), to: (Kind, u32), bits: u64) -> u64 {
    match (from, to) {
        ((Kind::Float, 16), _) => from_float(env, F16::from_bits(bits), to),
        ((Kind::Float, 32), _) => from_float(env, F32::from_bits(bits), to),
        ((Kind::Float, _), _) => from_float(env, F64::from_bits(bits), to),
        ((kind, width), (_, 32)) => fp::from_int::<F32>(env, bits, int(kind, width)).bits(),
        ((kind, width), _) => fp::from_int::<F64>(env, bits, int(kind, width)).bits(),
    }
}

fn from_float<A: Float>(env: &mut Env, a: A, to: (Kind, u32)) -> u64 {
    match to {
        (Kind::Float, 16) => fp::convert::<A, F16>(env, a).bits(),
        (Kind::Float, 32) => fp::convert::<A, F32>(env, a).bits(),
        (Kind::Float, _) => fp::convert::<A, F64>(env, a).bits(),
        (kind, width) => fp::to_int(env, a, int(kind, width)),
    }
}

fn int(kind: Kind, bits: u32) -> Int {
    Int { bits, signed: kind == Kind::Signed }
}
