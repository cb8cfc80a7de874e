//! Groups of 16 bytes in host registers of x86-64.

use std::arch::x86_64::__m128i;

/// A group in a host register.
#[inline(always)]
pub(super) fn v(bytes: [u8; 16]) -> __m128i {
    // SAFETY: both types have 16 bytes, and every bit pattern is a value of each.
    unsafe { std::mem::transmute(bytes) }
}

/// A host register as a group.
#[inline(always)]
pub(super) fn bytes(x: __m128i) -> [u8; 16] {
    // SAFETY: as in `v`.
    unsafe { std::mem::transmute(x) }
}
