//! Cases, capability sets, targets, measuring.

pub mod builds;
pub mod capset;
pub mod case;
mod configuration;
mod cores;
pub mod defaults;
mod died;
mod host;
pub mod jobs;
pub mod kat;
pub mod mbedtls;
pub mod open;
pub mod probe;
pub mod processor;
pub mod record;
pub mod run;
pub mod samples;
pub mod speed;
mod store;
pub mod sweep;
pub mod target;
pub mod views;
