//! The options of the translating engine, and why it may be refused.

use crate::host_features::Host;

/// Why the translating engine does not run on this host.
#[derive(Debug, thiserror::Error)]
pub enum Unsupported {
    /// The architecture is another one, or the processor is too old.
    #[error(
        "the translating engine needs Linux on AArch64, or on an x86-64 processor with BMI1, BMI2, \
         LZCNT and POPCNT; use --engine interp"
    )]
    Processor,
    /// It does not count the cycles of core models on this host.
    #[error(
        "the translating engine counts cycles of core models on x86-64 only; use --core ideal or \
         --engine interp"
    )]
    Cycles,
    /// The system does not report faults of loads and stores.
    #[error("the system refuses to report faults ({0}); use --engine interp")]
    Faults(std::io::Error),
    /// The system refused memory for generated code.
    #[error(
        "the system refused memory for generated code ({0}); raise the limit (ulimit -f, ulimit -v) or use --engine interp"
    )]
    Memory(std::io::Error),
}

/// Options of the translating engine.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Entries of a block before it is translated. Most blocks of a program run only a few times, and translating one
    /// takes as long as interpreting it a few dozen times.
    pub hot_threshold: u8,
    /// Bytes of the code buffer, a multiple of the host's page size. When it is full, all code is dropped. Large
    /// programs such as compilers have some hundred MiB of code; the unused part takes no memory.
    pub code_bytes: usize,
    /// The vector instructions that generated code may use if the host has them.
    pub host: Host,
    /// Count retired instructions by opcode, for a histogram.
    pub count: bool,
    /// In builds with assertions, one in this many kept translations that are placed is compared with a new one. Comparing all of
    /// them makes such builds translate as much as if nothing was kept.
    pub checked: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hot_threshold: 32,
            code_bytes: 256 << 20,
            host: Host::ALL,
            count: false,
            checked: 8,
        }
    }
}
