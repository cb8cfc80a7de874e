//! Zba: address generation.

use super::alu::{alu, alu_imm};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// Zero extension of the low word.
fn zext_w(a: u64) -> u64 {
    a as u32 as u64
}

alu! {
    sh1add: |a, b| (a << 1).wrapping_add(b);
    sh2add: |a, b| (a << 2).wrapping_add(b);
    sh3add: |a, b| (a << 3).wrapping_add(b);
    add_uw: |a, b| zext_w(a).wrapping_add(b);
    sh1add_uw: |a, b| (zext_w(a) << 1).wrapping_add(b);
    sh2add_uw: |a, b| (zext_w(a) << 2).wrapping_add(b);
    sh3add_uw: |a, b| (zext_w(a) << 3).wrapping_add(b);
}

alu_imm! {
    slli_uw: |a, b| zext_w(a) << b;
}
