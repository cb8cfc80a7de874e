//! Where code runs, and the libraries that run there: targets, subjects, and builds of libraries.
//!
//! [`Target::open`] opens any target with any subject, and gives an [`Opened`], which runs drivers and programs.

#![warn(missing_docs)]

pub mod builds;
pub mod host;
mod limits;
mod open;
pub mod opened;
pub mod probe;

pub use limits::Limits;
pub use open::{CORE, Feature, Library, Refused, SYSROOT, SubjectName, Target, TargetName};
pub use opened::{Count, Ended, Opened, Work};
pub use probe::Probe;
