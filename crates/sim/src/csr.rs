//! Numbers of control and status registers.

/// CSR numbers (Privileged ISA manual, "CSR Listing").
#[allow(missing_docs)]
pub mod number {
    pub const FFLAGS: u16 = 0x001;
    pub const FRM: u16 = 0x002;
    pub const FCSR: u16 = 0x003;
    pub const VSTART: u16 = 0x008;
    pub const VXSAT: u16 = 0x009;
    pub const VXRM: u16 = 0x00a;
    pub const VCSR: u16 = 0x00f;
    pub const SEED: u16 = 0x015;
    pub const CYCLE: u16 = 0xc00;
    pub const TIME: u16 = 0xc01;
    pub const INSTRET: u16 = 0xc02;
    pub const CYCLEH: u16 = 0xc80;
    pub const TIMEH: u16 = 0xc81;
    pub const INSTRETH: u16 = 0xc82;
    pub const VL: u16 = 0xc20;
    pub const VTYPE: u16 = 0xc21;
    pub const VLENB: u16 = 0xc22;
}
use number::*;

/// Bits of the machine-mode CSR `mseccfg` that affect lower modes (Privileged ISA manual).
pub mod mseccfg {
    /// User mode may access `seed`.
    pub const USEED: u64 = 1 << 8;
    /// Supervisor mode may access `seed`.
    pub const SSEED: u64 = 1 << 9;
}

/// Whether an access must be a block of its own: the CSR is a counter, which the run loop updates only between
/// blocks, or belongs to a higher mode, so that a write may change how the next instruction decodes.
pub fn is_own_block(csr: u16) -> bool {
    is_counter(csr) || lowest_mode(csr) != 0
}

/// Whether the CSR is a counter of Zicntr, or its upper half on RV32.
pub(crate) fn is_counter(csr: u16) -> bool {
    matches!(csr, CYCLE | TIME | INSTRET | CYCLEH | TIMEH | INSTRETH)
}

/// The lowest privilege mode that may access the CSR (Privileged ISA manual, "CSR Address Mapping").
fn lowest_mode(csr: u16) -> u16 {
    csr >> 8 & 3
}
