//! Cases, capability sets, targets, measuring.

pub mod builds;
pub mod capset;
pub mod case;
mod compile;
mod configuration;
mod confined;
mod cores;
mod died;
mod digest;
mod host;
pub mod jobs;
pub mod kat;
pub mod mbedtls;
mod pool;
pub mod probe;
pub mod record;
pub mod run;
pub mod samples;
mod sources;
pub mod speed;
mod store;
pub mod subject;
pub mod sweep;
pub mod target;
pub mod views;
