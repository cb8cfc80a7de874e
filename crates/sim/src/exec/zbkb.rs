//! Zbkb: bit manipulation for cryptography, except for the instructions in `zbb`.

use super::alu::{alu, alu_unary, sext_w};
use crate::crypto::bits;
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu! {
    pack: |a, b| bits::pack(a, b, M::XLEN / 2);
    packh: |a, b| bits::pack(a, b, 8);
    packw: |a, b| sext_w(bits::pack(a, b, 16));
}

alu_unary! {
    brev8: |a| bits::brev8(a);
    zip: |a| bits::zip(a as u32) as u64;
    unzip: |a| bits::unzip(a as u32) as u64;
}
