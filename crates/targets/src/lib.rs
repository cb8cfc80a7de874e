//! Where code runs, and the libraries that run there: targets, subjects, and builds of libraries.
//!
//! [`Target::open`] opens a target with a subject, and gives an [`Opened`], which runs drivers and programs.

#![warn(missing_docs)]

pub mod backend;
pub mod builds;
mod choice;
mod defaults;
pub mod host;
mod limits;
pub mod probe;

pub use backend::{Calls, Count, Ended, Opened, Share, Work};
pub use choice::{Feature, Library, Refused, SubjectName, Target, TargetName};
pub use defaults::{CORE, SYSROOT, sysroot_for};
pub use limits::Limits;
pub use probe::Probe;
