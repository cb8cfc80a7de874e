//! The translating engine (JIT): translates hot blocks to x86-64 code. Results, traps and counts equal those of the
//! reference interpreter, on the same blocks.
//!
//! Instructions without a translation are executed by calling their handlers, so every instruction of the table
//! works.

#![warn(missing_docs)]

#[cfg(all(target_arch = "x86_64", unix))]
mod access;
#[cfg(all(target_arch = "x86_64", unix))]
mod block;
mod both;
#[cfg(all(target_arch = "x86_64", unix))]
mod engine;
mod host;
#[cfg(all(target_arch = "x86_64", unix))]
mod hot_path;
mod options;
#[cfg(all(target_arch = "x86_64", unix))]
mod space;
#[cfg(all(target_arch = "x86_64", unix))]
mod tally;
#[cfg(all(target_arch = "x86_64", unix))]
mod timed;
#[cfg(all(target_arch = "x86_64", unix))]
mod x64;

use capvec_sim::Engine;
use capvec_timing::{Core, InOrder};

pub use both::{Both, Difference};
pub use host::Host;
pub use options::{Options, Unsupported};

/// A translating engine, with the cycles of a core model, or one cycle per instruction without a model.
///
/// # Errors
/// The host's processor is not supported, or it refuses executable memory.
pub fn engine(options: Options, model: Option<InOrder>) -> Result<Box<dyn Engine>, Unsupported> {
    #[cfg(all(target_arch = "x86_64", unix))]
    return Ok(Box::new(engine::Jit::new(options, model)?));
    #[cfg(not(all(target_arch = "x86_64", unix)))]
    return Err(Unsupported::Processor);
}

/// The fastest engine for a core: the translating one, or the interpreter on hosts that it does not support. Results,
/// counts and cycles are the same. `count` enables the histogram.
pub fn best(core: &Core, count: bool) -> Box<dyn Engine> {
    let options = Options { count, ..Options::default() };
    engine(options, core.timing()).unwrap_or_else(|_| core.engine(count))
}
