//! Loops for element-wise operations, and macros that define such operations and their handlers.
//!
//! An operation is a type with a generic `eval`, so that the loops are compiled for each operation and
//! element type and not for each handler.

use super::check::Group;
use super::form::{Form, Operand};
use super::{Elem, Vector};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::{with_sew, with_wide};

/// How an operation interprets an element.
pub trait View {
    /// The element's value.
    fn of<T: Elem>(e: T) -> Self;
}

macro_rules! view {
    ($($t:ty: $method:ident;)*) => { $(
        impl View for $t {
            #[inline(always)]
            fn of<T: Elem>(e: T) -> $t {
                e.$method() as $t
            }
        }
    )* };
}
view!(u64: to_u64; i64: to_i64; u128: to_u64; i128: to_i64;);

/// An operation on elements of vs2 and of the second operand, which a unary operation ignores.
pub trait Binary {
    /// The result, truncated to the width of `R`.
    fn eval<A: Elem, B: Elem, R: Elem>(a: A, b: B) -> R;
}

/// An operation on a third value (the old destination or a mask bit), vs2 and the second operand.
pub trait Ternary {
    /// The result, truncated to the width of `R`.
    fn eval<R: Elem, A: Elem, B: Elem>(c: R, a: A, b: B) -> R;
}

/// An operation with a mask bit as its result, on a mask bit, vs2 and the second operand.
pub trait Predicate {
    /// The result.
    fn eval<T: Elem>(c: u64, a: T, b: T) -> bool;
}

/// Defines operations: `Binary: Add(a: u64, b: u64) a.wrapping_add(b);`. An argument's type says how it is
/// interpreted (`View`); `A`, `B` and `R` are the element types of vs2, the second operand and the result.
#[macro_export]
macro_rules! vector_ops {
    (Binary: $($(#[$doc:meta])* $op:ident($a:ident: $ta:ty, $b:ident: $tb:ty) $e:expr;)*) => { $(
        $(#[$doc])*
        pub struct $op;
        impl $crate::vector::Binary for $op {
            #[inline(always)]
            fn eval<A: Elem, B: Elem, R: Elem>($a: A, $b: B) -> R {
                let ($a, $b) = (<$ta as View>::of($a), <$tb as View>::of($b));
                R::from_u64($e as u64)
            }
        }
    )* };
    (Ternary: $($op:ident($c:ident: $tc:ty, $a:ident: $ta:ty, $b:ident: $tb:ty) $e:expr;)*) => { $(
        struct $op;
        impl $crate::vector::Ternary for $op {
            #[inline(always)]
            fn eval<R: Elem, A: Elem, B: Elem>($c: R, $a: A, $b: B) -> R {
                let $c = <$tc as View>::of($c);
                let ($a, $b) = (<$ta as View>::of($a), <$tb as View>::of($b));
                R::from_u64($e as u64)
            }
        }
    )* };
    (Predicate: $($op:ident($c:ident, $a:ident: $ta:ty, $b:ident: $tb:ty) $e:expr;)*) => { $(
        struct $op;
        impl $crate::vector::Predicate for $op {
            #[inline(always)]
            fn eval<T: Elem>($c: u64, $a: T, $b: T) -> bool {
                let ($a, $b) = (<$ta as View>::of($a), <$tb as View>::of($b));
                $e
            }
        }
    )* };
}

/// Defines handlers: `single { Add => vadd_vv v, vadd_vx x, vadd_vi i; }` makes `vadd_vv` call
/// `single::<Add>(h, i, Operand::v(h, i))`.
#[macro_export]
macro_rules! vector_handlers {
    ($($run:ident { $($op:ty => $($name:ident $operand:ident),+;)+ })+) => { $($($(
        pub fn $name<M: $crate::mode::Mode>(h: &mut Hart, i: &Insn) -> Exec {
            let b = $crate::vector::Operand::$operand(h, i);
            $run::<$op>(h, i, b)
        }
    )+)+)+ };
}

/// vd = op(vs2, b), all of SEW.
pub fn single<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::SINGLE)?;
    with_sew!(h.v.vtype.sew, T => {
        if i.vm() && h.v.vstart == 0 {
            h.v.bulk::<O, T>(i.rd, i.rs2, b);
        } else {
            elements::<O, T, T, T>(h, i, vd, b);
        }
    });
    h.v_finish(vd);
    Ok(())
}

/// vd = op(vs2, b), where vd has twice SEW.
pub fn widen<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::WIDEN)?;
    with_wide!(h.v.vtype.sew, T, W => elements::<O, T, T, W>(h, i, vd, b));
    h.v_finish(vd);
    Ok(())
}

/// vd = op(vs2, b), where vd and vs2 have twice SEW.
pub fn widen_w<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::WIDEN_W)?;
    with_wide!(h.v.vtype.sew, T, W => elements::<O, W, T, W>(h, i, vd, b));
    h.v_finish(vd);
    Ok(())
}

/// vd = op(vs2, b), where vs2 has twice SEW.
pub fn narrow<O: Binary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::NARROW)?;
    with_wide!(h.v.vtype.sew, T, W => elements::<O, W, T, T>(h, i, vd, b));
    h.v_finish(vd);
    Ok(())
}

/// vd = op(vd, vs2, b), all of SEW.
pub fn single_add<O: Ternary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::SINGLE_ADD)?;
    with_sew!(h.v.vtype.sew, T => accumulate::<O, T, T>(h, i, vd, b));
    h.v_finish(vd);
    Ok(())
}

/// vd = op(vd, vs2, b), where vd has twice SEW.
pub fn widen_add<O: Ternary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::WIDEN_ADD)?;
    with_wide!(h.v.vtype.sew, T, W => accumulate::<O, W, T>(h, i, vd, b));
    h.v_finish(vd);
    Ok(())
}

/// vd = op(v0, vs2, b) for all body elements.
pub fn with_v0<O: Ternary>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form(i, b, Form::SINGLE_V0)?;
    with_sew!(h.v.vtype.sew, T => {
        for k in h.v.vstart..h.v.vl {
            let c = T::from_u64(h.v.mask_bit(0, k) as u64);
            h.v.set(vd.reg, k, O::eval::<T, T, T>(c, h.v.get(i.rs2, k), b.get(&h.v, k)));
        }
    });
    h.v_finish(vd);
    Ok(())
}

/// Mask vd = op(0, vs2, b).
pub fn compare<O: Predicate>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form_mask(i, b, Form::SINGLE)?;
    with_sew!(h.v.vtype.sew, T => h.v_body_mask(i, vd, |h, k| {
        O::eval::<T>(0, h.v.get(i.rs2, k), b.get(&h.v, k))
    }));
    h.v_finish_mask(vd.reg);
    Ok(())
}

/// Mask vd = op(v0, vs2, b) for all body elements.
pub fn compare_with_v0<O: Predicate>(h: &mut Hart, i: &Insn, b: Operand) -> Exec {
    let vd = h.v_form_mask(i, b, Form::SINGLE_V0)?;
    with_sew!(h.v.vtype.sew, T => {
        for k in h.v.vstart..h.v.vl {
            let c = h.v.mask_bit(0, k) as u64;
            let bit = O::eval::<T>(c, h.v.get(i.rs2, k), b.get(&h.v, k));
            h.v.set_mask_bit(vd.reg, k, bit);
        }
    });
    h.v_finish_mask(vd.reg);
    Ok(())
}

/// Computes the active elements of vd = op(vs2, b) in order: a legal overlap never overwrites an element that is
/// still to be read.
#[inline(always)]
pub fn elements<O: Binary, A: Elem, B: Elem, R: Elem>(
    h: &mut Hart,
    i: &Insn,
    vd: Group,
    b: Operand,
) {
    h.v_body_of::<R>(i, vd, |h, k| {
        let r = O::eval::<A, B, R>(h.v.get(i.rs2, k), b.get(&h.v, k));
        h.v.set(vd.reg, k, r);
    });
}

#[inline(always)]
fn accumulate<O: Ternary, R: Elem, T: Elem>(h: &mut Hart, i: &Insn, vd: Group, b: Operand) {
    h.v_body_of::<R>(i, vd, |h, k| {
        let r = O::eval::<R, T, T>(h.v.get(vd.reg, k), h.v.get(i.rs2, k), b.get(&h.v, k));
        h.v.set(vd.reg, k, r);
    });
}

impl Vector {
    /// Computes elements 0..vl of `rd` = op(`rs2`, b) in pieces that the compiler vectorises. Groups of equal EEW are
    /// identical or disjoint, so no piece overwrites what a later one reads.
    #[inline(always)]
    fn bulk<O: Binary, T: Elem>(&mut self, rd: u8, rs2: u8, b: Operand) {
        let len = self.vl as usize * size_of::<T>();
        let mut at = 0;
        while at + PIECE <= len {
            self.piece::<O, T, PIECE>(rd, rs2, b, at);
            at += PIECE;
        }
        let mut k = (at / size_of::<T>()) as u64;
        while k < self.vl {
            let r = O::eval::<T, T, T>(self.get(rs2, k), b.get(self, k));
            self.set(rd, k, r);
            k += 1;
        }
    }

    /// Processes the elements in `N` bytes, `at` bytes into the groups.
    #[inline(always)]
    fn piece<O: Binary, T: Elem, const N: usize>(
        &mut self,
        rd: u8,
        rs2: u8,
        b: Operand,
        at: usize,
    ) {
        let load = |reg: u8| -> [u8; N] {
            let mut bytes = [0; N];
            bytes.copy_from_slice(&self.bytes(reg)[at..at + N]);
            bytes
        };
        let mut result = load(rs2);
        let elements = T::chunks_mut(&mut result);
        match b {
            Operand::Vector(rs1) => {
                let b = load(rs1);
                for (a, &b) in elements.iter_mut().zip(T::chunks(&b)) {
                    *a = O::eval::<T, T, T>(T::from_bytes(*a), T::from_bytes(b)).to_bytes();
                }
            }
            Operand::Scalar(x) => {
                let x = T::from_u64(x);
                for a in elements {
                    *a = O::eval::<T, T, T>(T::from_bytes(*a), x).to_bytes();
                }
            }
        }
        self.bytes_mut(rd)[at..at + N].copy_from_slice(&result);
    }
}

/// Bytes processed at a time by element-wise operations.
const PIECE: usize = 16;
