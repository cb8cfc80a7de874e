//! Sweeps that are too large for one command or one machine: a file names axes, every combination is a job, a job is one command
//! of `capvec bench`, and its result is kept under a digest of what it depends on, as far as that is known in advance. So jobs can
//! run anywhere, in any order and more than once, and the record of all of them is always the same. What a digest cannot know in
//! advance is compared when results are merged: those of different libraries are refused.
//!
//! What one such command runs is in `crates/bench/src/sweep`.

#![warn(missing_docs)]

mod axes;
mod error;
mod merge;
mod plan;
mod results;
#[cfg(test)]
mod schema_tests;

pub use axes::{Axes, Axis};
pub use error::SweepError;
pub use merge::{Merged, merge};
pub use plan::{Build, Head, Job, Plan, Share};
pub use results::{Kept, Results};
