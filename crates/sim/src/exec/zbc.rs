//! Zbc and Zbkc: carry-less multiplication.

use super::alu::words;
use crate::crypto::clmul as product;
use crate::hart::Hart;
use crate::host::Words;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

words! {
    clmul(Clmul): |a, b| product::clmul(a, b);
    clmulh(ClmulHigh): |a, b| if M::XLEN == 32 {
        product::clmulh32(a as u32, b as u32) as u64
    } else {
        product::clmulh(a, b)
    };
    clmulr(ClmulReversed): |a, b| if M::XLEN == 32 {
        product::clmulr32(a as u32, b as u32) as u64
    } else {
        product::clmulr(a, b)
    };
}
