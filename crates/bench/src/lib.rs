//! Cases, capability sets, plans, sweeps: what is measured on a target, and how.

pub mod capset;
pub mod case;
mod configuration;
mod cores;
pub mod defaults;
mod died;
pub mod jobs;
pub mod kat;
pub mod processor;
pub mod record;
pub mod run;
pub mod samples;
pub mod speed;
mod store;
pub mod sweep;
pub mod views;
