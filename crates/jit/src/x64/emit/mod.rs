//! The emitter.

pub mod emitter;
pub mod file;
pub mod regs;
