//! Sweeps as jobs.

mod axes;
mod jobs;
