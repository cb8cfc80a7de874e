//! Zbb: basic bit manipulation, including what Zbkb shares with it.

use super::alu::{alu, alu_imm, alu_unary, sext_w, zext};
use crate::crypto::bits;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

/// `a` rotated right by `n` modulo XLEN, in an XLEN-bit register.
fn rotate_right<M: Mode>(a: u64, n: u64) -> u64 {
    if M::XLEN == 32 { rotate_right_w(a, n) } else { a.rotate_right(n as u32) }
}

/// The low word of `a` rotated right, sign-extended.
fn rotate_right_w(a: u64, n: u64) -> u64 {
    sext_w((a as u32).rotate_right(n as u32) as u64)
}

alu! {
    andn: |a, b| a & !b;
    orn: |a, b| a | !b;
    xnor: |a, b| !(a ^ b);
    max: |a, b| (a as i64).max(b as i64) as u64;
    maxu: |a, b| a.max(b);
    min: |a, b| (a as i64).min(b as i64) as u64;
    minu: |a, b| a.min(b);
    rol: |a, b| rotate_right::<M>(a, b.wrapping_neg());
    ror: |a, b| rotate_right::<M>(a, b);
    rolw: |a, b| rotate_right_w(a, b.wrapping_neg());
    rorw: |a, b| rotate_right_w(a, b);
}

alu_imm! {
    rori: |a, b| rotate_right::<M>(a, b);
    roriw: |a, b| rotate_right_w(a, b);
}

alu_unary! {
    clz: |a| (zext!(a).leading_zeros() + M::XLEN - 64) as u64;
    ctz: |a| a.trailing_zeros().min(M::XLEN) as u64;
    cpop: |a| zext!(a).count_ones() as u64;
    clzw: |a| (a as u32).leading_zeros() as u64;
    ctzw: |a| (a as u32).trailing_zeros() as u64;
    cpopw: |a| (a as u32).count_ones() as u64;
    sext_b: |a| a as i8 as u64;
    sext_h: |a| a as i16 as u64;
    zext_h: |a| a as u16 as u64;
    orc_b: |a| bits::orc_b(a);
    rev8: |a| a.swap_bytes() >> (64 - M::XLEN);
}
