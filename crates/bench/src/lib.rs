//! Cases, capability sets, plans, sweeps: what is measured on a target, and how.

#![warn(missing_docs)]

pub mod all_sweeps;
pub mod capability_reports;
pub mod capset;
pub mod case;
mod configuration;
pub mod constant_time;
mod core_record;
pub mod default_plan;
pub mod driver_protocol;
pub mod explore;
pub mod fit;
pub mod functions;
mod openssl_speed_rows;
pub mod own_code;
pub mod predictions;
mod process_end;
pub mod processor;
pub mod replay;
pub mod requests;
pub mod resume;
pub mod run;
pub mod samples;
pub mod sweep;
mod sweep_record;
