//! What is known about a trace before code is generated: which instructions are fused, where registers are used next, and
//! which accesses lie close together.

pub mod addresses;
pub mod fuse;
pub mod operands;
pub mod trace;
pub mod uses;
