//! Cases, capability sets, plans, sweeps: what is measured on a target, and how.

#![warn(missing_docs)]

pub mod all_sweeps;
pub mod capability_views;
pub mod capset;
pub mod case;
mod configuration;
mod core_record;
pub mod default_plan;
pub mod explore;
pub mod functions;
pub mod jobs;
mod process_end;
pub mod processor;
pub mod requests;
pub mod resume;
pub mod run;
pub mod samples;
mod speed;
pub mod sweep;
mod sweep_record;
