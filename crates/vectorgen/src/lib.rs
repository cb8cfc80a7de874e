//! Generates `vectors/` from Wycheproof and from oracles, and provides the oracles to tests.

#![warn(missing_docs)]

pub mod acvp;
mod der;
pub mod generate;
mod instructions;
mod lengths;
pub mod oracle;
mod published;
mod write;
mod wycheproof;
