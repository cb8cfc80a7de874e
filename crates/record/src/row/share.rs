//! Parts of a figure by function.

use serde::{Deserialize, Serialize};

/// A function's own part of an operation, without the functions that it calls; in connections of TLS, functions of the
/// library's interface include these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FunctionShare {
    /// Its name.
    pub name: String,
    /// Retired instructions.
    pub insns: f64,
    /// Modelled cycles.
    pub cycles: f64,
}
