//! The translating engine: blocks become code of the host. The same results, traps and counts as the
//! reference interpreter, on the same blocks.
//!
//! For x86-64 hosts. Instructions that the translator does not know are calls of their handlers, so every
//! instruction of the table works.

mod both;
#[cfg(all(target_arch = "x86_64", unix))]
mod engine;
mod host;
#[cfg(all(target_arch = "x86_64", unix))]
mod space;
#[cfg(all(target_arch = "x86_64", unix))]
mod tally;
#[cfg(all(target_arch = "x86_64", unix))]
mod timed;
#[cfg(all(target_arch = "x86_64", unix))]
mod trace;
#[cfg(all(target_arch = "x86_64", unix))]
mod x64;

use capvec_sim::Engine;
use capvec_timing::{Core, InOrder};

pub use both::{Both, Difference};
pub use host::Host;

/// Why this host has no translating engine.
#[derive(Debug, thiserror::Error)]
pub enum Unsupported {
    /// Another architecture, or too old a processor.
    #[error(
        "the translating engine is for x86-64 processors with BMI1, BMI2, LZCNT and POPCNT; \
         use --engine interp"
    )]
    Processor,
    /// The system does not give memory for generated code.
    #[error("no memory for generated code: {0}; use --engine interp")]
    Memory(#[source] std::io::Error),
}

/// What can be chosen.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Entries of a block before it is translated: most of a program's blocks run a few times only, and translating one
    /// takes as long as interpreting it some dozen times.
    pub patience: u8,
    /// Bytes of generated code that are kept at once, a multiple of the host's page size; all is dropped
    /// when they are full.
    pub code_bytes: usize,
    /// The host's vector instructions that it may use, if it has them.
    pub host: Host,
    /// Count retired instructions, for a histogram.
    pub count: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { patience: 32, code_bytes: 64 << 20, host: Host::ALL, count: false }
    }
}

/// A translating engine, with the cycles of a core model, or one cycle an instruction.
///
/// # Errors
/// This host has none.
pub fn engine(options: Options, model: Option<InOrder>) -> Result<Box<dyn Engine>, Unsupported> {
    #[cfg(all(target_arch = "x86_64", unix))]
    return Ok(Box::new(engine::Jit::new(options, model)?));
    #[cfg(not(all(target_arch = "x86_64", unix)))]
    return Err(Unsupported::Processor);
}

/// The engine for a core: the translating one, or on a host that has none the interpreter. Results, counts and cycles
/// do not depend on which; `count` for a histogram.
pub fn best(core: &Core, count: bool) -> Box<dyn Engine> {
    let options = Options { count, ..Options::default() };
    engine(options, core.timing()).unwrap_or_else(|_| core.engine(count))
}
