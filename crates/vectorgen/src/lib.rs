//! Generates `vectors/` from Wycheproof and from oracles; the oracles, for tests.

mod der;
pub mod generate;
mod lengths;
pub mod oracle;
mod published;
mod write;
mod wycheproof;
