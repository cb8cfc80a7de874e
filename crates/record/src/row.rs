//! One measured figure.

use crate::kind::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One measured figure.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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
    /// Its name for people.
    pub algorithm: String,
    /// `enc` or `dec`, or the name of a public-key operation.
    pub direction: String,
    /// Message size in bytes; 0 if the operation has none.
    pub bytes: usize,
    /// Capability set.
    pub capset: String,
    /// What the library was told; empty if it detected.
    pub capstring: String,
    /// Retired instructions of an operation, exact.
    pub insns_per_op: Option<f64>,
    /// Modelled cycles of an operation.
    pub cycles_per_op: Option<f64>,
    /// Retired instructions per byte.
    pub insns_per_byte: Option<f64>,
    /// Modelled cycles per byte.
    pub cycles_per_byte: Option<f64>,
    /// Modelled speed in 1000 bytes per second.
    #[serde(rename = "kBps")]
    pub kbps: Option<f64>,
    /// Over the scalar set of the same run.
    pub speedup: Option<f64>,
    /// `pass`, or what is wrong.
    pub answers: String,
    /// Published speed, if one was published for this core, set and size.
    #[serde(rename = "published_kBps")]
    pub published_kbps: Option<f64>,
    /// Predicted over published.
    pub ratio: Option<f64>,
    /// Operations per second: modelled, or of the median time.
    pub ops_per_s: Option<f64>,
    /// What the figures are of.
    pub kind: Kind,
    /// What counted instructions; empty if nothing did, or not rightly.
    pub counter: String,
    /// Median time of an operation in nanoseconds, where a clock means something.
    pub ns_per_op: Option<f64>,
    /// Median of the samples' absolute deviations from that, in percent of it.
    pub mad_percent: Option<f64>,
    /// Extensions that the following suppose; empty if nothing of it is known for the case, VLEN and set, or the message is short.
    pub kernel_needs: String,
    /// Retired instructions per byte of the best published kernel of others, without set-up (`published/kernels.csv`).
    #[serde(rename = "best_published_insns_per_byte", alias = "best_known_insns_per_byte")]
    pub best_published_ipb: Option<f64>,
    /// `insns_per_byte` over that.
    #[serde(alias = "over_best_known")]
    pub over_best_published: Option<f64>,
    /// Those that one way of doing it was argued to need.
    #[serde(rename = "estimate_insns_per_byte", alias = "bound_insns_per_byte")]
    pub estimate_ipb: Option<f64>,
    /// `insns_per_byte` over that.
    #[serde(alias = "over_bound")]
    pub over_estimate: Option<f64>,
    /// Whose the best published kernel is.
    #[serde(alias = "best_known_source")]
    pub best_published_source: String,
    /// Digest of the core's parameters: see [`CoreRecord`].
    pub core_digest: String,
    /// Time of an operation in each sample, in nanoseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<f64>,
    /// Instructions of an operation by latency class, if they were counted so; together they are `insns_per_op`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mix: BTreeMap<String, f64>,
}

impl Row {
    /// Operations in some time: by the clock or the core model, or by instructions where neither is. `openssl speed`
    /// prints bytes per second only.
    pub fn rate(&self) -> Option<f64> {
        self.ops_per_s.or(self.kbps).or(self.insns_per_op.map(|n| 1.0 / n))
    }

    /// Whether every answer was right.
    pub fn passed(&self) -> bool {
        self.answers == "pass"
    }
}
