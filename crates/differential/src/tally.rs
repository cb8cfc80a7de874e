//! The results of a campaign.

use crate::coverage::Coverage;
use crate::isolate::Found;
use crate::target::Target;
use std::collections::BTreeMap;
use std::time::Duration;

/// An unknown difference.
pub struct Fault {
    /// The instruction's mnemonic, or its word.
    pub name: String,
    /// Its first occurrence.
    pub found: Found,
    /// The target of that occurrence.
    pub target: Target,
    /// Number of occurrences.
    pub times: u64,
}

/// The results of a campaign.
#[derive(Default)]
pub struct Tally {
    /// What was compared.
    pub coverage: Coverage,
    /// Number of occurrences of each known difference.
    pub known: BTreeMap<&'static str, u64>,
    /// Instructions on which the oracle aborted, each with its message; the value is the number of programs.
    pub aborts: BTreeMap<String, u64>,
    /// Programs with a difference, isolated or not.
    pub differing: u64,
    /// Programs that differ only when they run together with others.
    pub leaks: Vec<String>,
    /// An example of each known difference, if these are kept.
    pub examples: BTreeMap<&'static str, Fault>,
    /// Unknown differences by instruction and differing parts.
    pub faults: BTreeMap<String, Fault>,
    /// Wall time by activity.
    pub times: Times,
}

/// Wall time of each activity; they overlap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Making batches.
    pub generate: Duration,
    /// Running them on both sides.
    pub run: Duration,
    /// Finding the reasons of differences.
    pub isolate: Duration,
}
