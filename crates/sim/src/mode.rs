//! The instances that semantics are compiled for.

/// An instance of the semantics. Every handler is generic over it, so a run pays only for what it needs, and another
/// XLEN is another instance instead of another copy.
pub trait Mode: 'static {
    /// Register width in bits.
    const XLEN: u32;
    /// Whether memory accesses are reported to the hart's access log.
    const OBSERVE: bool;
    /// The same instance without observation. Handlers that access no memory are compiled once, for it.
    type Plain: Mode;

    /// The address that a register's value stands for; registers of RV32 hold sign-extended values.
    #[inline(always)]
    fn address(x: u64) -> u64 {
        if Self::XLEN == 32 { x as u32 as u64 } else { x }
    }
}

/// RV64 without observation.
pub struct Plain64;

impl Mode for Plain64 {
    const XLEN: u32 = 64;
    const OBSERVE: bool = false;
    type Plain = Plain64;
}

/// RV64 with memory accesses logged for a core model or observer.
pub struct Observed64;

impl Mode for Observed64 {
    const XLEN: u32 = 64;
    const OBSERVE: bool = true;
    type Plain = Plain64;
}

/// RV32 without observation.
pub struct Plain32;

impl Mode for Plain32 {
    const XLEN: u32 = 32;
    const OBSERVE: bool = false;
    type Plain = Plain32;
}

/// RV32 with memory accesses logged.
pub struct Observed32;

impl Mode for Observed32 {
    const XLEN: u32 = 32;
    const OBSERVE: bool = true;
    type Plain = Plain32;
}
