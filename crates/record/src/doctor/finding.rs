//! Verdicts on algorithms and files, and what extensions would gain.

use crate::Kind;
use serde::{Deserialize, Serialize};

/// The verdict on an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// The quantity that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RatioOf {
    /// Speeds by a core model.
    ModelledSpeed,
    /// Speeds by a clock.
    Speed,
    /// Retired instructions: an emulator has no speed.
    Instructions,
}

impl RatioOf {
    /// The quantity that targets of this kind are compared by.
    pub fn of(kind: Kind) -> RatioOf {
        match kind {
            Kind::Modelled => RatioOf::ModelledSpeed,
            Kind::Real => RatioOf::Speed,
            Kind::Emulated => RatioOf::Instructions,
        }
    }

    /// The name for display.
    pub fn name(self) -> &'static str {
        match self {
            RatioOf::ModelledSpeed => "modelled speed",
            RatioOf::Speed => "speed",
            RatioOf::Instructions => "instructions",
        }
    }
}

/// What is found for an algorithm.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// The case, as `capvec bench` names it.
    #[serde(default)]
    pub case: String,
    /// Its name for display.
    #[serde(default)]
    pub algorithm: String,
    /// The operation: `enc`, `dec`.
    #[serde(default)]
    pub direction: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it is slower than it could be.
    #[serde(default)]
    pub slower: bool,
    /// How many times as fast it could be; `None` if that was not measured, or nothing is lost.
    pub lost: Option<f64>,
    /// What that was compared with.
    #[serde(default)]
    pub against: String,
    /// Speed-up over portable code of the same library.
    pub over_scalar: Option<f64>,
    /// The quantity of both ratios; `None` in old files.
    pub ratio_of: Option<RatioOf>,
    /// A short explanation.
    #[serde(default)]
    pub why: String,
    /// The evidence.
    #[serde(default)]
    pub proof: Vec<String>,
    /// The remedy.
    pub remedy: Option<String>,
}

/// What is found about a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(bound = "Scan: Default + Serialize + schemars::JsonSchema"))]
#[serde(default, bound(deserialize = "Scan: Default + Deserialize<'de>"))]
pub struct FileFinding<Scan> {
    /// Path within the root.
    pub path: String,
    /// Whether the user named this file.
    pub named: bool,
    /// The file that needs it, if it was found that way.
    pub needed_by: Option<String>,
    /// Libraries that it needs and that contain or call a cryptographic library, with the name of that one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    /// The verdict, as tables show it.
    pub verdict: String,
    /// Whether it is slower than it could be.
    pub slower: bool,
    /// A short explanation.
    pub why: String,
    /// The remedy.
    pub remedy: Option<String>,
    /// Extensions that some of its code uses and the processor lacks: this code cannot run there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
    /// What it contains; `None` if it was not found or not read.
    pub scan: Option<Scan>,
}

/// What extensions gain for an algorithm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Cost {
    /// Case.
    pub case: String,
    /// Its name for display.
    pub algorithm: String,
    /// The operation.
    pub direction: String,
    /// Speed of the core as it is, in 1000 bytes per second.
    pub now_kbps: Option<f64>,
    /// Extensions that the core lacks, without the ones they imply; empty if none helps.
    pub adds: Vec<String>,
    /// How many times as fast the algorithm would be; 1 if none helps.
    pub factor: f64,
    /// Speed with them.
    pub then_kbps: Option<f64>,
}
