//! The floating-point flags that generated code raises: they are collected in the host's MXCSR and moved to the hart when
//! generated code is left, or when an instruction accesses a CSR.

use capvec_sim::Hart;
use std::arch::asm;

/// MXCSR while generated code runs: no flag is set, exceptions are masked, results are rounded to nearest (Intel SDM,
/// volume 1, "MXCSR Control and Status Register").
pub static CLEAR: u32 = 0x1f80;

/// The flags of MXCSR.
const FLAGS: u32 = 63;

/// The flags of `fflags` (NV, DZ, OF, UF, NX from bit 4 down) by those of MXCSR (from bit 0: invalid, denormal operand,
/// division by zero, overflow, underflow, precision).
static BY_MXCSR: [u8; FLAGS as usize + 1] = {
    let mut all = [0; FLAGS as usize + 1];
    let mut k = 0;
    while k < all.len() {
        let (invalid, zero, overflow) = (k & 1, k >> 2 & 1, k >> 3 & 1);
        let (underflow, inexact) = (k >> 4 & 1, k >> 5 & 1);
        all[k] = (invalid << 4 | zero << 3 | overflow << 2 | underflow << 1 | inexact) as u8;
        k += 1;
    }
    all
};

/// Adds the flags of an MXCSR value to those of the hart.
#[inline(always)]
pub fn accrue(h: &mut Hart, mxcsr: u32) {
    h.fflags |= BY_MXCSR[(mxcsr & FLAGS) as usize];
}

/// Moves the flags raised so far to the hart, while generated code runs.
pub fn take(h: &mut Hart) {
    let mut mxcsr = 0_u32;
    // SAFETY: stores four bytes to a variable of that size.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack, preserves_flags)) };
    accrue(h, mxcsr);
    // SAFETY: loads the value that Rust itself expects: only the flags change.
    unsafe {
        asm!("ldmxcsr [{}]", in(reg) &raw const CLEAR, options(nostack, preserves_flags, readonly))
    };
}
