//! Cases, capability sets, measuring, records and tables.

pub mod best;
pub mod capset;
pub mod case;
mod comparison;
mod compile;
pub mod explain;
pub mod fit;
pub mod grid;
pub mod host;
pub mod jobs;
pub mod kat;
mod operations;
pub mod output;
mod pool;
pub mod probe;
pub mod published;
pub mod record;
pub mod run;
mod sources;
pub mod speed;
pub mod subject;
pub mod sweep;
pub mod table;
pub mod target;
pub mod views;
