//! The facts of a figure.

use super::cost::Cost;
use super::share::FunctionShare;
use crate::kind::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What [`Row::answers`] says if every known answer was right.
pub const PASS: &str = "pass";
/// What it says if there was no known answer.
pub const UNCHECKED: &str = "none";

/// One measured figure. It is written together with what is computed from it: [`crate::Figure`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Row {
    /// Where the code ran.
    pub target: String,
    /// What was measured.
    pub subject: String,
    /// Its version.
    pub version: String,
    /// Core model.
    pub core: String,
    /// Vector register length in bits.
    pub vlen: u32,
    /// Case.
    pub case: String,
    /// The algorithm, by its usual name.
    pub algorithm: String,
    /// `enc` or `dec`, or the name of a public-key operation.
    pub direction: String,
    /// Message size in bytes; 0 if the operation has none.
    pub bytes: usize,
    /// Capability set.
    pub capset: String,
    /// The capability string that the library was given; empty if it detected capabilities by itself.
    pub capstring: String,
    /// Retired instructions of an operation: exact if modelled or emulated, else a median.
    pub insns_per_op: Option<f64>,
    /// Cycles of an operation: of the core model, or of a hardware counter.
    pub cycles_per_op: Option<f64>,
    /// Speed in kB/s as `openssl speed`, which prints nothing else, or a CSV states it. Otherwise it is computed: [`Row::kbps`].
    #[serde(rename = "kBps", skip_serializing)]
    pub stated_kbps: Option<f64>,
    /// `pass`, or what is wrong.
    pub answers: String,
    /// Operations per second: modelled, or of the median time.
    pub ops_per_s: Option<f64>,
    /// The kind of the figures.
    pub kind: Kind,
    /// The counter of the instructions; empty if there is none, or if its counts are wrong.
    pub counter: String,
    /// Median time of an operation in nanoseconds, by a real machine's clock.
    pub ns_per_op: Option<f64>,
    /// Median absolute deviation of the samples, in percent of the median time.
    pub mad_percent: Option<f64>,
    /// Digest of the core's parameters, as in `cores`.
    pub core_digest: String,
    /// Time of an operation in each sample, in nanoseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<f64>,
    /// Instructions of an operation by latency class, if `--mix` counted them; their sum is `insns_per_op`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mix: BTreeMap<String, f64>,
    /// What each function itself takes of an operation with warm caches, if `--profile` counted it; the most cycles first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionShare>,
    /// What each operation of a fixed sequence took, where operations differ in the number of their attempts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<Cost>,
    /// Modelled cycles of an operation in each random layout of memory, if `--layouts` asked for several; `cycles_per_op` is their median.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cycles_by_layout: Vec<f64>,
    /// Bytes that the measured end of a connection sent, of a handshake or of a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wire_bytes: Option<f64>,
}

impl Row {
    /// Retired instructions per byte; none for an operation without a message.
    pub fn insns_per_byte(&self) -> Option<f64> {
        self.insns_per_op.filter(|_| self.bytes > 0).map(|n| n / self.bytes as f64)
    }

    /// Cycles per byte, of the same source as those of the operation.
    pub fn cycles_per_byte(&self) -> Option<f64> {
        self.cycles_per_op.filter(|_| self.bytes > 0).map(|n| n / self.bytes as f64)
    }

    /// Speed in kB/s (1000 bytes per second): modelled, or from the median time.
    pub fn kbps(&self) -> Option<f64> {
        let computed = || self.ops_per_s.filter(|_| self.bytes > 0);
        self.stated_kbps.or_else(|| computed().map(|o| self.bytes as f64 * o / 1e3))
    }

    /// Operations per second, by the clock or the core model; for `openssl speed`, which prints no other figure, bytes per second.
    pub fn speed(&self) -> Option<f64> {
        self.ops_per_s.or(self.stated_kbps)
    }

    /// The same, or the reciprocal of the instructions on targets without times.
    pub fn rate(&self) -> Option<f64> {
        self.speed().or(self.insns_per_op.map(|n| 1.0 / n))
    }

    /// The least and the most cycles of an operation in all layouts; `None` without `--layouts`.
    pub fn layouts(&self) -> Option<[f64; 2]> {
        let least = self.cycles_by_layout.iter().copied().reduce(f64::min)?;
        let most = self.cycles_by_layout.iter().copied().reduce(f64::max)?;
        Some([least, most])
    }

    /// Whether no answer was wrong. There may be none: code of the user's own is measured without, too.
    pub fn passed(&self) -> bool {
        self.is_right() || self.answers == UNCHECKED
    }

    /// Whether there were answers, and every one was right.
    pub fn is_right(&self) -> bool {
        self.answers == PASS
    }
}
