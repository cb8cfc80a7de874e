//! Encodes A64 vector instructions: moves from and to general-purpose registers, cryptography, and what the translation of scalar
//! instructions needs.

use super::encode::Reg;

/// A vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct V(pub u8);

/// Steps of AES on 16 bytes.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Aes {
    /// AddRoundKey, ShiftRows, SubBytes.
    Aese = 0x4e28_4800,
    /// AddRoundKey, InvShiftRows, InvSubBytes.
    Aesd = 0x4e28_5800,
    /// MixColumns.
    Aesmc = 0x4e28_6800,
    /// InvMixColumns.
    Aesimc = 0x4e28_7800,
}

/// The field of the destination.
pub(super) fn d(v: V) -> u32 {
    v.0 as u32
}

/// The field of the first source.
pub(super) fn n(v: V) -> u32 {
    (v.0 as u32) << 5
}

/// The field of the second source.
pub(super) fn m(v: V) -> u32 {
    (v.0 as u32) << 16
}

/// The low 64 bits of `vd` = `rn`; the others become zero.
pub fn to_vector(vd: V, rn: Reg) -> u32 {
    0x9e67_0000 | (rn.0 as u32) << 5 | d(vd)
}

/// The high 64 bits of `vd` = `rn`; the others stay.
pub fn to_high(vd: V, rn: Reg) -> u32 {
    0x4e18_1c00 | (rn.0 as u32) << 5 | d(vd)
}

/// `rd` = the low 64 bits of `vn`.
pub fn from_vector(rd: Reg, vn: V) -> u32 {
    0x9e66_0000 | n(vn) | rd.0 as u32
}

/// `rd` = the high 64 bits of `vn`.
pub fn from_high(rd: Reg, vn: V) -> u32 {
    0x4e18_3c00 | n(vn) | rd.0 as u32
}

/// `vd` = 0.
pub fn zero(vd: V) -> u32 {
    0x6f00_e400 | d(vd)
}

/// The number of ones in each of the low eight bytes.
pub fn count_bytes(vd: V, vn: V) -> u32 {
    0x0e20_5800 | n(vn) | d(vd)
}

/// The sum of the low eight bytes.
pub fn sum_bytes(vd: V, vn: V) -> u32 {
    0x0e31_b800 | n(vn) | d(vd)
}

/// A step of AES; those that add a round key add `vn` to `vd`, the others transform `vn`.
pub fn aes(step: Aes, vd: V, vn: V) -> u32 {
    step as u32 | n(vn) | d(vd)
}

/// The product of the low 64 bits as polynomials over GF(2), 128 bits.
pub fn pmull(vd: V, vn: V, vm: V) -> u32 {
    0x0ee0_e000 | m(vm) | n(vn) | d(vd)
}

/// The bytes of `vn` whose numbers are the low eight bytes of `vm`; 0 for numbers from 16 on.
pub fn table(vd: V, vn: V, vm: V) -> u32 {
    0x0e00_0000 | m(vm) | n(vn) | d(vd)
}
