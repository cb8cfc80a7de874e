//! Whether cryptography is accelerated on a target, and if not, where on the way from the processor to the library's
//! fast code the acceleration is lost: each step is queried, and its answer is checked by execution.

#![warn(missing_docs)]

mod cause;
mod cost;
mod examine;
mod executed;
mod file_verdict;
mod files;
mod indirect_libraries;
mod judgement;
mod kernel;
mod processor;
mod ratio;
mod remedy;
mod rounds;
mod runtimes;
mod show;
mod show_files;
mod shown;
mod tree;
mod trial;
mod verdict;

pub use cost::cost;
pub use examine::{Diagnosis, Request, examine};
pub use files::{FileFinding, PROGRAMS, file, files};
pub use judgement::Judgement;
pub use kernel::{kernel_of_bytes, kernel_of_config, kernel_of_copy, kernel_of_root};
pub use processor::Processor;
pub use runtimes::runtimes;
pub use show::{csv, markdown, text};
pub use tree::within;

/// Everything that was found.
pub type Findings = capvec_record::doctor::Record<capvec_binscan::Report>;
