//! Parameters of a core model, fitted to published figures: `capvec cores fit`.

mod view;

use serde::Serialize;

/// The version of the format.
pub const VERSION: u32 = 1;

/// A fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fitted {
    /// Version of the format.
    pub fitted: u32,
    /// The tool and its version.
    pub tool: String,
    /// The version of Debian's OpenSSL; empty if no figure needs it.
    pub version: String,
    /// The build of OpenSSL's C that predicted figures of such programs, with its source and compiler; null without one.
    pub c_build: Option<String>,
    /// The core model.
    pub core: String,
    /// Digest of its parameters before the fit.
    pub core_digest: String,
    /// The free parameters.
    pub parameters: Vec<Parameter>,
    /// Pairs of them that trade off against each other.
    pub trades: Vec<Trade>,
    /// The published figures.
    pub rows: Vec<Row>,
    /// How often the model was run with different values.
    pub runs: usize,
}

/// A free parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Parameter {
    /// Its keys; several keep their ratios.
    pub keys: Vec<String>,
    /// The values of its keys before the fit.
    pub before: Vec<f64>,
    /// The fitted values.
    pub values: Vec<f64>,
    /// The least and the greatest value that were allowed, of the first key.
    pub bounds: [f64; 2],
    /// The standard error of the first key's value; null if the figures do not determine it, or are no more than the parameters.
    pub standard_error: Option<f64>,
    /// Whether any fitted figure depends on it.
    pub has_effect: bool,
}

/// Two parameters of which the figures determine little but a combination.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Trade {
    /// The first keys of both.
    pub parameters: [String; 2],
    /// The correlation of their estimates.
    pub correlation: f64,
}

/// A published figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    /// Case.
    pub case: String,
    /// Capability set.
    pub set: String,
    /// Message size, in bytes.
    pub bytes: usize,
    /// Published cycles per byte.
    pub published: f64,
    /// Predicted before the fit.
    pub before: f64,
    /// Predicted with the fitted values.
    pub after: f64,
    /// Predicted if the parameters are fitted to the other figures alone; null for figures that are held out, and for those without which
    /// the parameters are not determined.
    pub left_out: Option<f64>,
    /// Held out: not fitted.
    pub held_out: bool,
    /// Where the figure was published.
    pub source: String,
}

impl Row {
    /// How far a predicted speed is off, in percent.
    fn error(&self, predicted: f64) -> f64 {
        (self.published / predicted - 1.0) * 100.0
    }
}
