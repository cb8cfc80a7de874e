//! V: floating point, by kind of operation, with what the kinds share.
//!
//! Legal element widths: 32 with Zve32f, 64 with Zve64d, and 16 only in the two conversions of Zvfhmin. All
//! arithmetic rounds by `frm`; every instruction here traps if `frm` is reserved, whatever vl is ("V", "Vector
//! Floating-Point Instructions").

mod arith;
mod compare;
mod convert;
mod moves;
mod wide;

pub use arith::*;
pub use compare::*;
pub use convert::*;
pub use moves::*;
pub use wide::*;

use super::float::{accrue, read, require};
use crate::fp::{Env, F32, F64, Float};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::vector::{Elem, Group, Operand};
use capvec_isa::Ext;

/// A format as an element of a register group.
pub(super) trait Lane: Float {
    /// The element of its width.
    type E: Elem;

    /// Element `k` of the group at `r`.
    #[inline(always)]
    fn get(h: &Hart, r: u8, k: u64) -> Self {
        Self::from_bits(h.v.get::<Self::E>(r, k).to_u64())
    }

    /// Element `k` of an operand.
    #[inline(always)]
    fn of(h: &Hart, b: Operand, k: u64) -> Self {
        Self::from_bits(b.get::<Self::E>(&h.v, k).to_u64())
    }
}

impl Lane for F32 {
    type E = u32;
}

impl Lane for F64 {
    type E = u64;
}

/// Runs a generic function with `$f` bound to the format of SEW bits; traps if SEW has no arithmetic.
macro_rules! with_format {
    ($h:expr, $i:expr, $f:ident => $body:expr) => {{
        $h.v_ready()?;
        match $h.v.vtype.sew {
            32 => {
                type $f = $crate::fp::F32;
                $body
            }
            64 => {
                $crate::exec::float::require($h, $i, capvec_isa::Ext::Zve64d)?;
                type $f = $crate::fp::F64;
                $body
            }
            _ => $crate::exec::v_fp::no_format($h),
        }
    }};
}
pub(super) use with_format;

/// Defines handlers by shape, each for the formats of SEW: `vfadd_vv: binary [Vv, fp::add];`.
macro_rules! lanes {
    ($($name:ident: $shape:ident [$($arg:expr),*];)*) => { $(
        pub fn $name<M: Mode>(h: &mut Hart, i: &Insn) -> Exec {
            $crate::exec::v_fp::with_format!(h, i, F => $shape::<F>(h, i, $($arg),*))
        }
    )* };
}
pub(super) use lanes;

/// Traps because SEW has no arithmetic.
#[cold]
pub(super) fn no_format<T>(h: &mut Hart) -> Exec<T> {
    h.illegal("no floating-point operation at this SEW")
}

/// Traps unless SEW allows widening: only from single to double precision, since there is no Zvfh here.
pub(super) fn widening(h: &mut Hart, i: &Insn) -> Exec {
    h.v_ready()?;
    require(h, i, Ext::Zve64d)?;
    if h.v.vtype.sew == 32 { Ok(()) } else { no_format(h) }
}

/// The second operand of an instruction with the forms .vv and .vf.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Second {
    /// The group vs1.
    Vv,
    /// The f register, unboxed.
    Vf,
}

impl Second {
    fn operand<F: Lane>(self, h: &Hart, i: &Insn) -> Operand {
        match self {
            Self::Vv => Operand::v(h, i),
            Self::Vf => Operand::Scalar(read::<F>(h, i.rs1).bits()),
        }
    }
}

/// Sets the active elements to vd\[k\] = `f`(k), as bits, and applies flags, policies and vstart: everything after the
/// checks of an instruction with a vector destination.
#[inline(always)]
pub(super) fn each<E: Elem>(
    h: &mut Hart,
    i: &Insn,
    vd: Group,
    mut env: Env,
    f: impl Fn(&mut Env, &Hart, u64) -> u64,
) -> Exec {
    h.v_body_of::<E>(i, vd, |h, k| {
        let bits = f(&mut env, h, k);
        h.v.set(vd.reg, k, E::from_u64(bits));
    });
    accrue(h, env.flags);
    h.v_finish(vd);
    Ok(())
}
