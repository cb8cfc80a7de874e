//! The progress of a sweep, as a bar.

use crate::cmd::setup::say_resumed;
use anyhow::{Context, Result};
use capvec_bench::all_sweeps::Progress;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::Duration;

/// A bar that counts configurations.
pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar for one sweep; hidden if `quiet`.
    pub fn new(quiet: bool) -> Result<Bar> {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let template = "{bar:30} {pos}/{len} configurations {elapsed} {msg}";
        bar.set_style(ProgressStyle::with_template(template).context("the template is fixed")?);
        Ok(Bar { bar })
    }
}

impl Progress for Bar {
    fn resumes(&self, dir: &Path, finished: usize) {
        say_resumed(dir, finished);
    }

    fn begins(&self, configurations: usize) {
        self.bar.set_length(configurations as u64);
        self.bar.enable_steady_tick(Duration::from_millis(200));
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
