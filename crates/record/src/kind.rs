//! What figures are of.

use serde::{Deserialize, Serialize};

/// What figures are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A core model: instructions are exact, cycles and times are the model's.
    #[default]
    Modelled,
    /// An emulator: instructions are exact, times mean nothing.
    Emulated,
    /// A machine: times are the clock's, with spread; instructions are those of its counters, if it lets programs read
    /// them.
    Real,
}

impl Kind {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Modelled => "modelled",
            Kind::Emulated => "emulated",
            Kind::Real => "real",
        }
    }
}
