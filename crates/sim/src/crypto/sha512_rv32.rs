//! The SHA-512 functions of Zknh on RV32, where a word is a pair of registers.

use super::sha2;

fn join(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// `sha512sig0l`: lower half of σ0, with `rs1` the lower and `rs2` the upper half of the word.
pub fn sig0l(rs1: u32, rs2: u32) -> u32 {
    sha2::sig0(join(rs2, rs1)) as u32
}

/// `sha512sig0h`: upper half of σ0, with `rs1` the upper and `rs2` the lower half of the word.
pub fn sig0h(rs1: u32, rs2: u32) -> u32 {
    (sha2::sig0(join(rs1, rs2)) >> 32) as u32
}

/// `sha512sig1l`: lower half of σ1, with `rs1` the lower and `rs2` the upper half of the word.
pub fn sig1l(rs1: u32, rs2: u32) -> u32 {
    sha2::sig1(join(rs2, rs1)) as u32
}

/// `sha512sig1h`: upper half of σ1, with `rs1` the upper and `rs2` the lower half of the word.
pub fn sig1h(rs1: u32, rs2: u32) -> u32 {
    (sha2::sig1(join(rs1, rs2)) >> 32) as u32
}

/// `sha512sum0r`: lower half of Σ0, with `rs1` the lower and `rs2` the upper half of the word;
/// swapping the operands gives the upper half.
pub fn sum0r(rs1: u32, rs2: u32) -> u32 {
    sha2::sum0(join(rs2, rs1)) as u32
}

/// `sha512sum1r`: lower half of Σ1; operands as for [`sum0r`].
pub fn sum1r(rs1: u32, rs2: u32) -> u32 {
    sha2::sum1(join(rs2, rs1)) as u32
}
