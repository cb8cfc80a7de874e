//! The translating engine (JIT): translates hot blocks to x86-64 code. Results, traps and counts equal those of the
//! reference interpreter, on the same blocks.
//!
//! Instructions without a translation are executed by calling their handlers, so every instruction of the table
//! works.

#![warn(missing_docs)]

mod both;
#[cfg(all(target_arch = "x86_64", unix))]
mod engine;
mod host;
#[cfg(all(target_arch = "x86_64", unix))]
mod hot_path;
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

/// Why the translating engine does not run on this host.
#[derive(Debug, thiserror::Error)]
pub enum Unsupported {
    /// The architecture is not x86-64, or the processor is too old.
    #[error(
        "the translating engine needs an x86-64 processor with BMI1, BMI2, LZCNT and POPCNT; \
         use --engine interp"
    )]
    Processor,
    /// The system refused memory for generated code.
    #[error("the system refused memory for generated code: {0}; use --engine interp")]
    Memory(#[source] std::io::Error),
}

/// Options of the translating engine.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Entries of a block before it is translated. Most blocks of a program run only a few times, and translating one
    /// takes as long as interpreting it some dozen times.
    pub hot_threshold: u8,
    /// Bytes of the code buffer, a multiple of the host's page size. When it is full, all code is dropped. Large
    /// programs such as compilers have some hundred MiB of code; what is not filled takes no memory.
    pub code_bytes: usize,
    /// The vector instructions that generated code may use if the host has them.
    pub host: Host,
    /// Count retired instructions by opcode, for a histogram.
    pub count: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { hot_threshold: 32, code_bytes: 256 << 20, host: Host::ALL, count: false }
    }
}

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
