//! Code of the user's own: `capvec measure` and `capvec check`. Its main program is in crates/guest/own.

pub mod check;
mod layouts;
pub mod measure;
pub mod observe;
mod protocol;

use crate::capset::CapSet;
use anyhow::{Context, Result};
use capvec_sim::hart::Config;
use capvec_timing::Core;
use std::time::Duration;

/// What is measured or checked.
pub struct Plan {
    /// Cores, with their VLEN.
    pub cores: Vec<Core>,
    /// Capability sets, by name.
    pub caps: Vec<String>,
    /// Message sizes in bytes.
    pub bytes: Vec<usize>,
    /// The name of what is measured, for tables.
    pub subject: String,
    /// Random layouts of memory in which everything is measured; 0 for the fixed layout.
    pub layouts: u64,
    /// The longest time that a run may take.
    pub timeout: Option<Duration>,
}

/// A run: a core and a set.
struct Run<'p> {
    core: &'p Core,
    capset: CapSet,
}

impl Plan {
    /// The number of runs.
    pub fn len(&self) -> usize {
        self.cores.len() * self.caps.len()
    }

    /// Whether there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all sets are known.
    ///
    /// # Errors
    /// Names the set that is unknown.
    pub fn check(&self) -> Result<()> {
        self.runs().map(drop)
    }

    /// As [`Plan::check`]; also whether the cores' models can count the cycles of all sets.
    ///
    /// # Errors
    /// Names the set that is unknown, or whose cycles a core cannot count.
    pub fn check_costs(&self) -> Result<()> {
        let run = |run: &Run| run.core.can_time(run.capset.exts);
        self.runs()?
            .iter()
            .try_for_each(|r| run(r).with_context(|| format!("--caps {}", r.capset.name)))
    }

    fn runs(&self) -> Result<Vec<Run<'_>>> {
        let mut runs = Vec::new();
        for core in &self.cores {
            for name in &self.caps {
                let capset =
                    CapSet::of(name, &core.isa).with_context(|| format!("--caps {name}"))?;
                runs.push(Run { core, capset });
            }
        }
        Ok(runs)
    }
}

/// The hart of a run.
fn hart(run: &Run<'_>) -> Config {
    Config { exts: run.capset.exts, ..run.core.hart(run.core.isa) }
}
