//! Generates `vectors/` from Wycheproof and from oracles; the oracles, for tests.

pub mod lengths;
pub mod oracle;
pub mod write;
pub mod wycheproof;
