//! What surrounds generated code.

pub mod buffer;
pub mod constant;
pub mod exit;
pub mod targets;
