//! Generates `vectors/` from Wycheproof and from oracles, and provides the oracles to tests.

mod der;
pub mod generate;
mod lengths;
pub mod oracle;
mod published;
mod write;
mod wycheproof;
