//! Zbs: single bits.

use super::alu::{alu, alu_imm, shamt};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu! {
    bclr: |a, b| a & !(1 << shamt!(b));
    bext: |a, b| a >> shamt!(b) & 1;
    binv: |a, b| a ^ 1 << shamt!(b);
    bset: |a, b| a | 1 << shamt!(b);
}

alu_imm! {
    bclri: |a, b| a & !(1 << b);
    bexti: |a, b| a >> b & 1;
    binvi: |a, b| a ^ 1 << b;
    bseti: |a, b| a | 1 << b;
}
