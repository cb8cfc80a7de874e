//! The kinds of figures.

use serde::{Deserialize, Serialize};

/// A kind of figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A core model: instructions are exact, cycles and times are the model's.
    #[default]
    Modelled,
    /// An emulator: instructions are exact, times mean nothing.
    Emulated,
    /// A machine: times are by its clock, with spread; instructions by its counters, if programs may read them.
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
