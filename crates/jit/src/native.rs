//! The code generator for this host.

#[cfg(target_arch = "aarch64")]
pub use crate::a64::{Backend, MAX_BUDGET};
#[cfg(target_arch = "x86_64")]
pub use crate::x64::{Backend, MAX_BUDGET};
