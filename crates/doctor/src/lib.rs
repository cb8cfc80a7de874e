//! Whether cryptography is accelerated on a target, and if not, where on the way from the processor to the library's
//! fast code the acceleration is lost: each step is queried, and its answer is checked by execution.

#![warn(missing_docs)]

mod cause;
mod cost;
mod examine;
mod facts;
mod file_verdict;
mod files;
mod finding;
mod judge;
mod processor;
mod ratio;
mod remedy;
mod rounds;
mod show;
mod show_files;
mod through;
mod tree;
mod trial;

pub use cost::{Cost, cost};
pub use examine::{Diagnosis, Request, examine};
pub use facts::{Capability, Facts};
pub use files::{FileFinding, PROGRAMS, file, files};
pub use finding::{Finding, Verdict};
pub use processor::Processor;
pub use ratio::RatioOf;
pub use show::Shown;
pub use tree::within;
