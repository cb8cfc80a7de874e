//! The code generator for this host.

pub use crate::x64::{Backend, MAX_BUDGET};
