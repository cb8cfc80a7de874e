//! Zknh: SHA-256 and SHA-512.

use super::alu::{alu, alu_unary, sext_w};
use crate::crypto::{sha2, sha512_rv32};
use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::mode::Mode;

alu_unary! {
    sha256sig0: |a| sext_w(sha2::sig0(a as u32) as u64);
    sha256sig1: |a| sext_w(sha2::sig1(a as u32) as u64);
    sha256sum0: |a| sext_w(sha2::sum0(a as u32) as u64);
    sha256sum1: |a| sext_w(sha2::sum1(a as u32) as u64);
    sha512sig0: |a| sha2::sig0(a);
    sha512sig1: |a| sha2::sig1(a);
    sha512sum0: |a| sha2::sum0(a);
    sha512sum1: |a| sha2::sum1(a);
}

alu! {
    sha512sig0l: |a, b| sha512_rv32::sig0l(a as u32, b as u32) as u64;
    sha512sig0h: |a, b| sha512_rv32::sig0h(a as u32, b as u32) as u64;
    sha512sig1l: |a, b| sha512_rv32::sig1l(a as u32, b as u32) as u64;
    sha512sig1h: |a, b| sha512_rv32::sig1h(a as u32, b as u32) as u64;
    sha512sum0r: |a, b| sha512_rv32::sum0r(a as u32, b as u32) as u64;
    sha512sum1r: |a, b| sha512_rv32::sum1r(a as u32, b as u32) as u64;
}
