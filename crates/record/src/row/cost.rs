//! The cost of one operation among several that differ.

use serde::{Deserialize, Serialize};

/// What one operation of a fixed sequence took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cost {
    /// Retired instructions.
    pub insns: f64,
    /// Modelled cycles.
    pub cycles: f64,
    /// How many candidates it made until one was good: ML-DSA rejects those that would leak its key.
    pub attempts: u32,
}
