//! Zbkx: crossbar permutations.

use super::alu::alu;
use crate::crypto::bits;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu! {
    xperm4: |a, b| if M::XLEN == 32 {
        bits::xperm4_32(a as u32, b as u32) as u64
    } else {
        bits::xperm4(a, b)
    };
    xperm8: |a, b| if M::XLEN == 32 {
        bits::xperm8_32(a as u32, b as u32) as u64
    } else {
        bits::xperm8(a, b)
    };
}
