//! What the semantics are compiled for.

/// A build of the semantics: every handler is generic over it, so that what a run does not need costs
/// nothing in it, and another XLEN is another instance and not another copy.
pub trait Mode: 'static {
    /// Register width in bits.
    const XLEN: u32;
    /// Whether memory accesses are reported to the hart's access log.
    const OBSERVE: bool;
    /// The same without observation: what handlers that access no memory are compiled for, once for both.
    type Plain: Mode;

    /// The address that a register's value stands for: registers of RV32 hold it sign-extended.
    #[inline(always)]
    fn address(x: u64) -> u64 {
        if Self::XLEN == 32 { x as u32 as u64 } else { x }
    }
}

/// RV64, nothing observed.
pub struct Plain64;

impl Mode for Plain64 {
    const XLEN: u32 = 64;
    const OBSERVE: bool = false;
    type Plain = Plain64;
}

/// RV64, memory accesses logged for a core model or an observer.
pub struct Observed64;

impl Mode for Observed64 {
    const XLEN: u32 = 64;
    const OBSERVE: bool = true;
    type Plain = Plain64;
}

/// RV32, nothing observed.
pub struct Plain32;

impl Mode for Plain32 {
    const XLEN: u32 = 32;
    const OBSERVE: bool = false;
    type Plain = Plain32;
}

/// RV32, memory accesses logged.
pub struct Observed32;

impl Mode for Observed32 {
    const XLEN: u32 = 32;
    const OBSERVE: bool = true;
    type Plain = Plain32;
}
