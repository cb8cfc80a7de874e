//! Zksh: SM3.

use super::alu::{alu_unary, sext_w};
use crate::crypto::sm3;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu_unary! {
    sm3p0: |a| sext_w(sm3::p0(a as u32) as u64);
    sm3p1: |a| sext_w(sm3::p1(a as u32) as u64);
}
