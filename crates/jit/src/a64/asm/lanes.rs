//! Encodes A64 instructions on all 16 bytes of vector registers (Arm Architecture Reference Manual, "Data Processing -- Scalar
//! Floating-Point and Advanced SIMD"). The base values have zeros in all fields that a function fills in.

use super::encode::Reg;
use super::vector::{V, d, m, n};

/// The width of the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Sixteen of 8 bits.
    B = 0,
    /// Eight of 16 bits.
    H = 1,
    /// Four of 32 bits.
    S = 2,
    /// Two of 64 bits.
    D = 3,
}

/// Operations on the elements of two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Op3V {
    Add = 0x4e20_8400,
    Sub = 0x6e20_8400,
    /// Not on elements of 64 bits.
    Mul = 0x4e20_9c00,
    /// Not on elements of 64 bits, like the three that follow.
    Smax = 0x4e20_6400,
    Umax = 0x6e20_6400,
    Smin = 0x4e20_6c00,
    Umin = 0x6e20_6c00,
    /// Shifts to the left, or to the right by a negative number: the low byte of each element of the second register.
    Sshl = 0x4e20_4400,
    Ushl = 0x6e20_4400,
}

/// Operations on the bits of two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum OpBits {
    And = 0x4e20_1c00,
    Bic = 0x4e60_1c00,
    Orr = 0x4ea0_1c00,
    Eor = 0x6e20_1c00,
}

/// Shifts to the left by a number below the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum OpLeft {
    Shl = 0x4f00_5400,
    /// The bits that are not shifted into stay.
    Sli = 0x6f00_5400,
}

/// Shifts to the right by at least 1 and at most the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum OpRight {
    Sshr = 0x4f00_0400,
    Ushr = 0x6f00_0400,
}

/// Loads and stores of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Quad {
    Str = 0x3d80_0000,
    Ldr = 0x3dc0_0000,
}

impl Lanes {
    /// Elements of 8, 16, 32 or 64 bits.
    pub fn of(bits: u32) -> Lanes {
        match bits {
            8 => Lanes::B,
            16 => Lanes::H,
            32 => Lanes::S,
            _ => Lanes::D,
        }
    }

    /// Bits of an element.
    pub fn bits(self) -> u32 {
        8 << self as u32
    }

    fn size(self) -> u32 {
        (self as u32) << 22
    }
}

/// `vd = vn op vm`.
pub fn op3_lanes(op: Op3V, lanes: Lanes, vd: V, vn: V, vm: V) -> u32 {
    op as u32 | lanes.size() | m(vm) | n(vn) | d(vd)
}

/// `vd = vn op vm`.
pub fn op3_bits(op: OpBits, vd: V, vn: V, vm: V) -> u32 {
    op as u32 | m(vm) | n(vn) | d(vd)
}

/// `vd = vn << by`.
pub fn shift_left(op: OpLeft, lanes: Lanes, vd: V, vn: V, by: u32) -> u32 {
    op as u32 | (lanes.bits() + by) << 16 | n(vn) | d(vd)
}

/// `vd = vn >> by`.
pub fn shift_right(op: OpRight, lanes: Lanes, vd: V, vn: V, by: u32) -> u32 {
    op as u32 | (2 * lanes.bits() - by) << 16 | n(vn) | d(vd)
}

/// `vd = -vn`.
pub fn negate(lanes: Lanes, vd: V, vn: V) -> u32 {
    0x6e20_b800 | lanes.size() | n(vn) | d(vd)
}

/// The bits of each byte in reverse order.
pub fn reverse_bits(vd: V, vn: V) -> u32 {
    0x6e60_5800 | n(vn) | d(vd)
}

/// The bytes of each element, which is longer than a byte, in reverse order.
pub fn reverse_bytes(lanes: Lanes, vd: V, vn: V) -> u32 {
    let op = match lanes {
        Lanes::B | Lanes::H => 0x4e20_1800,
        Lanes::S => 0x6e20_0800,
        Lanes::D => 0x4e20_0800,
    };
    op | n(vn) | d(vd)
}

/// Each element of `vd` = the low bits of `rn`.
pub fn splat(lanes: Lanes, vd: V, rn: Reg) -> u32 {
    0x4e00_0c00 | 1 << (16 + lanes as u32) | (rn.0 as u32) << 5 | d(vd)
}

/// `vd` = the high half of `vn`, then the low half of `vm`.
pub fn middle(vd: V, vn: V, vm: V) -> u32 {
    0x6e00_4000 | m(vm) | n(vn) | d(vd)
}

/// The product of the high halves as polynomials over GF(2).
pub fn pmull_high(vd: V, vn: V, vm: V) -> u32 {
    0x4ee0_e000 | m(vm) | n(vn) | d(vd)
}

/// A transfer of 16 bytes at `rn` plus `offset`; `None` if the offset cannot be encoded.
pub fn quad(what: Quad, vt: V, rn: Reg, offset: i64) -> Option<u32> {
    let fits = offset % 16 == 0 && (0..1 << 16).contains(&offset);
    fits.then_some(what as u32 | (offset as u32 / 16) << 10 | (rn.0 as u32) << 5 | d(vt))
}
