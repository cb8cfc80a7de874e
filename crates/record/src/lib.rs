//! Records: what was measured, as facts; reading, writing and comparing them; and the views that tables show.
//!
//! Nothing here runs code, and every record is treated as untrusted input.

#![warn(missing_docs)]

mod arch;
pub mod best;
mod build_manifest;
pub mod checked;
pub mod compare;
pub mod compute;
mod configuration;
mod configure_options;
pub mod constant_time;
mod core;
mod derived;
pub mod doctor;
mod evaluated;
pub mod explored;
pub mod fitted;
pub mod grid;
mod host;
mod join;
mod json;
pub mod kat;
mod kind;
pub mod labels;
mod method;
pub mod parts;
pub mod predicted;
pub mod published;
mod quotient;
pub mod read;
mod record;
mod region;
mod row;
mod sets;
pub mod shown;
pub mod subject;
#[doc(hidden)]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod view;
mod write;

pub use arch::Arch;
pub use build_manifest::Manifest;
pub use configuration::ConfigurationRecord;
pub use configure_options::{COMMON_OPTIONS, NO_COMMAND};
pub use core::{ChangeRecord, CoreRecord, ParameterRecord};
pub use derived::explanation::{Effect, Explanation, Reached, Step, Unmeasured};
pub use derived::fit::{Fit, Line};
pub use derived::row::Derived;
pub use evaluated::{Evaluated, Figure};
pub use host::Host;
pub use kind::Kind;
pub use method::{METHOD, method};
pub use record::{NotOffered, Record, SCHEMA, TargetRecord};
pub use region::{RegionRecord, VectorsRecord};
pub use row::{Cost, FunctionShare, PASS, Row, UNCHECKED};
pub use write::csv::COLUMNS;
