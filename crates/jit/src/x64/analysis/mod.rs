//! What is known about a trace before code is generated: which instructions are fused, where registers are used next,
//! which accesses lie close together, and which floating-point instructions the host computes.

pub mod float;
pub mod fuse;
pub mod operands;
pub mod trace;
pub mod uses;
