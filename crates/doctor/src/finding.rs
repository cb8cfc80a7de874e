//! What the doctor finds for an algorithm.

use crate::ratio::RatioOf;
use capvec_record::Row;
use serde::Serialize;

/// The verdict on an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A path for these extensions runs, and none that was measured is much faster.
    Accelerated,
    /// The library uses all that it has, and another library's code is much faster on the same target.
    FasterExists,
    /// Portable code runs.
    Fallback,
    /// The processor executes what the kernel does not show.
    HiddenByKernel,
    /// The kernel shows what the C library does not pass on.
    HiddenByLibc,
    /// The library contains no code for what the processor executes.
    NotBuilt,
    /// The library has the code, but does not see, or is configured not to see, what is shown.
    NotDetected,
    /// Answers are wrong.
    Wrong,
}

impl Verdict {
    /// The name for display.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Accelerated => "accelerated",
            Verdict::FasterExists => "faster code exists",
            Verdict::Fallback => "fallback",
            Verdict::HiddenByKernel => "hidden by kernel",
            Verdict::HiddenByLibc => "hidden by libc",
            Verdict::NotBuilt => "not built",
            Verdict::NotDetected => "not detected",
            Verdict::Wrong => "wrong",
        }
    }
}

/// What is found for an algorithm.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The case, as `capvec bench` names it.
    pub case: String,
    /// Its name for display.
    pub algorithm: String,
    /// The operation: `enc`, `dec`.
    pub direction: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it is slower than it could be.
    pub slower: bool,
    /// How many times faster it could be; `None` if that was not measured, or nothing is lost.
    pub lost: Option<f64>,
    /// What that was compared with.
    pub against: String,
    /// Speed-up over portable code of the same library.
    pub over_scalar: Option<f64>,
    /// The quantity of both ratios.
    pub ratio_of: RatioOf,
    /// A short explanation.
    pub why: String,
    /// The evidence.
    pub proof: Vec<String>,
    /// The remedy.
    pub remedy: Option<String>,
    /// The extensions that the kernel hides from it, if they are the cause.
    #[serde(skip)]
    pub hidden: Vec<String>,
    /// What was measured, for further comparisons.
    #[serde(skip)]
    pub measured: Measured,
}

/// What was measured for an algorithm in one direction.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// As it is.
    pub stock: Row,
    /// The same library, configured to use nothing.
    pub scalar: Option<Row>,
    /// The same library, configured to use everything that the processor executes.
    pub able: Option<Row>,
    /// Another library.
    pub reference: Option<Reference>,
    /// Executed instructions of cryptographic extensions, by name; `None` where they cannot be counted.
    pub executed: Option<Vec<(String, u64)>>,
}

/// What another library achieves on the same target.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// Whether it is another build of the same library: what it has and this one lacks was then not built.
    pub same_library: bool,
    /// What was measured.
    pub row: Row,
    /// Whether extensions make it faster than its own portable code.
    pub by_extensions: bool,
}
