//! Instructions on x registers.

pub mod alu;
pub mod bits;
pub mod crypto;
pub mod fused;
