//! Programs without an operating system: a hart in machine mode, memory, and the host-target interface (HTIF) for
//! output and exit. This is what RISC-V test suites and firmware examples need, and no more: no devices, no interrupt
//! sources.

#![warn(missing_docs)]

mod error;
mod htif;
mod image;
mod log;
mod machine;
mod signature;

#[doc(hidden)]
pub mod testing;

pub use error::BareError;
pub use htif::{Htif, Request};
pub use image::Image;
pub use log::CommitLog;
pub use machine::{Bare, Options, Outcome, Progress};
pub use signature::{Signature, signature};
