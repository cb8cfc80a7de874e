//! What is known of a trace before code is generated.

pub mod addresses;
pub mod fuse;
pub mod uses;
