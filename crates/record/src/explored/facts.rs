//! What was measured, and what was compared.

use serde::{Deserialize, Serialize};

/// The version of the format.
pub const VERSION: u32 = 1;

/// An exploration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Explored {
    /// Version of the format.
    pub explore: u32,
    /// The tool and its version.
    pub tool: String,
    /// The command that made it, word by word.
    pub command: Vec<String>,
    /// The measured library.
    pub subject: String,
    /// The library's version.
    pub version: String,
    /// The core's label.
    pub core: String,
    /// Digest of the core's parameters.
    pub core_digest: String,
    /// The core's clock in Hz.
    pub frequency: u64,
    /// Whether the core has a model of cycles beyond one for each instruction.
    pub priced: bool,
    /// The core's VLEN in bits, at which costs were varied.
    pub vlen: u32,
    /// The capability set that the extensions are added to.
    pub base: String,
    /// What was added: each alone, and as many together as one hart can have.
    pub with: Vec<Added>,
    /// What was not measured together, and why.
    #[serde(default)]
    pub apart: Vec<String>,
    /// What was measured.
    pub points: Vec<Point>,
    /// Where the time goes, at the core's own VLEN and costs.
    #[serde(default)]
    pub functions: Vec<FunctionPoint>,
    /// Which instructions take the time, with each addition at the core's own VLEN and costs.
    #[serde(default)]
    pub classes: Vec<ClassPoint>,
}

/// Extensions that were added to the base.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Added {
    /// Their names, joined by `_`.
    pub name: String,
    /// Mnemonics of the instructions that came with them.
    pub instructions: Vec<String>,
    /// What the instructions cost on the core, each with its source; empty on a core without a model of cycles.
    #[serde(default)]
    pub costs: Vec<String>,
    /// Thousands of gates that they take, measured from the core's RTL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kge: Option<f64>,
}

/// What the added instructions cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Price {
    /// What the core says.
    #[default]
    Core,
    /// Nothing: no issue slot and no time.
    Free,
    /// This many cycles for each instruction, or for each element group.
    Cycles(u32),
}

/// One figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Point {
    /// The name of what was added; empty for the base.
    pub with: String,
    /// Bits of a vector register.
    pub vlen: u32,
    /// What the added instructions cost.
    pub price: Price,
    /// The case.
    pub case: String,
    /// The operation: `enc`, `dec`, `sign` and so on.
    pub direction: String,
    /// Bytes of the message; 0 where there is no size.
    pub bytes: usize,
    /// Retired instructions of an operation.
    pub insns: f64,
    /// Modelled cycles of an operation.
    pub cycles: f64,
    /// What is wrong with the answers; then there are no figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

/// What a function itself takes of one operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FunctionPoint {
    /// The name of what was added; empty for the base.
    pub with: String,
    /// The case.
    pub case: String,
    /// The operation.
    pub direction: String,
    /// Bytes of the message; 0 where there is no size.
    pub bytes: usize,
    /// The function.
    pub function: String,
    /// Retired instructions of an operation.
    pub insns: f64,
    /// Modelled cycles of an operation.
    pub cycles: f64,
}

/// Instructions of one class in one operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClassPoint {
    /// The name of what was added; empty for the base.
    pub with: String,
    /// The case.
    pub case: String,
    /// The operation.
    pub direction: String,
    /// Bytes of the message; 0 where there is no size.
    pub bytes: usize,
    /// The latency class.
    pub class: String,
    /// Retired instructions of an operation.
    pub insns: f64,
    /// Modelled cycles that are charged to them; 0 in files of earlier versions.
    #[serde(default)]
    pub cycles: f64,
}
