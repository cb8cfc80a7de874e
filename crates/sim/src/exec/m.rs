//! M: integer multiplication and division.
//!
//! Division by zero gives all ones (remainder: the dividend), overflow the dividend (remainder 0).

use super::alu::{alu, sext_w, zext};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// High half of a product whose factors were extended to 64 bits and then to 128 as signed or unsigned.
macro_rules! high {
    ($p:expr) => {
        (($p as u128) >> M::XLEN) as u64
    };
}

alu! {
    mul: |a, b| a.wrapping_mul(b);
    mulh: |a, b| high!((a as i64 as i128) * (b as i64 as i128));
    mulhsu: |a, b| high!((a as i64 as i128).wrapping_mul(zext!(b) as i128));
    mulhu: |a, b| high!((zext!(a) as u128) * (zext!(b) as u128));
    mulw: |a, b| sext_w(a.wrapping_mul(b));
    div: |a, b| if b == 0 { u64::MAX } else { (a as i64).wrapping_div(b as i64) as u64 };
    divu: |a, b| zext!(a).checked_div(zext!(b)).unwrap_or(u64::MAX);
    rem: |a, b| if b == 0 { a } else { (a as i64).wrapping_rem(b as i64) as u64 };
    remu: |a, b| zext!(a).checked_rem(zext!(b)).unwrap_or(a);
    divw: |a, b| if b as i32 == 0 { u64::MAX } else { (a as i32).wrapping_div(b as i32) as u64 };
    divuw: |a, b| (a as u32).checked_div(b as u32).map_or(u64::MAX, |q| sext_w(q as u64));
    remw: |a, b| if b as i32 == 0 { sext_w(a) } else { (a as i32).wrapping_rem(b as i32) as u64 };
    remuw: |a, b| sext_w((a as u32).checked_rem(b as u32).unwrap_or(a as u32) as u64);
}
