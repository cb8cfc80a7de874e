//! The progress of a sweep, as a bar.

use crate::cmd::progress::bar;
use crate::cmd::setup::say_resumed;
use anyhow::Result;
use capvec_bench::all_sweeps::SweepProgress;
use indicatif::ProgressBar;
use std::path::Path;

/// A bar that counts configurations.
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar for one sweep; hidden if `quiet`.
    pub fn new(quiet: bool) -> Result<Bar> {
        Ok(Bar { bar: bar(quiet, 0, "configurations")? })
    }
}

impl SweepProgress for Bar {
    fn resumes(&self, dir: &Path, finished: usize) {
        say_resumed(dir, finished);
    }

    fn begins(&self, configurations: usize) {
        self.bar.set_length(configurations as u64);
    }

    fn advances(&self) {
        self.bar.inc(1);
    }

    fn begins_speed(&self) {
        self.bar.set_message("openssl speed");
    }

    fn ends(&self) {
        self.bar.finish_and_clear();
    }
}
