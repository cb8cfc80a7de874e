//! Registers of the system call convention.

/// The first argument and the result.
pub const A0: u8 = 10;
/// The number of the call.
pub const A7: u8 = 17;
