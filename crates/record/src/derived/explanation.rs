//! For each case, how the best capability set is reached and what each extension adds.

use serde::{Deserialize, Serialize};

/// One step of a chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Step {
    /// Extensions that were added, without what they imply.
    pub adds: Vec<String>,
    /// The set that this gives.
    pub capset: String,
    /// Its modelled speed in operations per second.
    pub ops_per_s: f64,
    /// In 1000 bytes per second, if the operation has a message.
    #[serde(rename = "kBps")]
    pub kbps: Option<f64>,
    /// Speed over that of the step before.
    pub factor: f64,
}

/// How the best set of a case is reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Explanation {
    /// Core model, as rows name it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub core: String,
    /// Vector register length in bits.
    pub vlen: u32,
    /// Case.
    pub case: String,
    /// The operation: `enc`, `sign`, …
    pub direction: String,
    /// Message size in bytes; 0 where there is no message.
    pub bytes: usize,
    /// Speed without any capability, in operations per second.
    pub scalar_ops_per_s: f64,
    /// In 1000 bytes per second, if the operation has a message.
    #[serde(rename = "scalar_kBps")]
    pub scalar_kbps: Option<f64>,
    /// The smallest set that reaches the best speed.
    pub best: String,
    /// Where the chain ends.
    pub reached: Reached,
    /// The chain.
    pub steps: Vec<Step>,
    /// What each extension does, as far as it was measured.
    pub effects: Vec<Effect>,
    /// Extensions that the dispatch asks for, but whose effect was not measured.
    pub unmeasured: Vec<Unmeasured>,
    /// Number of other extensions of the measured sets that were not measured alone.
    pub others: usize,
}

/// Where a chain ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reached {
    /// At the smallest set of the best speed, or at a later set after passing it.
    Best,
    /// At another set of the best speed.
    AnotherSet,
    /// At a slower set.
    #[default]
    No,
}

/// The effect of one extension on a case, over every measured set to which it can be added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Effect {
    /// The extension.
    pub extension: String,
    /// Number of measured sets to which it was added.
    pub pairs: usize,
    /// Smallest factor by which it changes the speed.
    pub least: f64,
    /// The set that it was added to there.
    pub least_on: String,
    /// Largest such factor.
    pub most: f64,
    /// The set that it was added to there.
    pub most_on: String,
    /// Extensions that it needs: on measured sets that lack them, it has no effect.
    pub needs: Vec<String>,
}

/// An extension that the dispatch asks for, but whose effect was not measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Unmeasured {
    /// The extension.
    pub extension: String,
    /// Extensions that the dispatch asks for with it.
    pub with: Vec<String>,
}
