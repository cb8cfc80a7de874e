//! Cases, capability sets, measuring, records and tables.

pub mod capset;
pub mod case;
pub mod published;
