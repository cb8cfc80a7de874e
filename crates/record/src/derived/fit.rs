//! The cost of a call and of a byte.

use serde::{Deserialize, Serialize};

/// Cost of a call and of a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Line {
    /// Cost of a call, whatever its length.
    pub per_call: f64,
    /// Cost of a byte.
    pub per_byte: f64,
    /// Largest difference between line and figure, as a fraction of the figure.
    pub misfit: f64,
}

/// The fit of one case with one set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Fit {
    /// Core model, as rows name it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub core: String,
    /// Vector register length in bits.
    pub vlen: u32,
    /// Case.
    pub case: String,
    /// `enc` or `dec`.
    pub direction: String,
    /// Capability set.
    pub capset: String,
    /// Sizes that the lines go through, in bytes.
    pub sizes: Vec<usize>,
    /// Retired instructions.
    pub insns: Line,
    /// Modelled cycles.
    pub cycles: Line,
    /// Size in bytes at which the call itself takes half of the cycles; none if a call costs nothing.
    pub half_speed_bytes: Option<f64>,
}
