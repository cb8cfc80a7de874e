//! Measures one library for `capvec bench`, and makes its record.

use super::args::Args;
use crate::cmd::setup::{TOOL, open_store};
use anyhow::{Context, Result};
use capvec_bench::record::record;
use capvec_bench::run::Runner;
use capvec_bench::speed;
use capvec_bench::sweep::{self, Identity, Plan, Store};
use capvec_record::{Record, atomic_file};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::time::Duration;

/// Families of capability sets that serve to find out what an extension adds.
const EXPLAINED: [&str; 3] = ["singles", "dispatch", "all-subsets"];

/// A record, with the stores of its sweeps, which are kept until it is written.
pub struct Taken {
    /// The record.
    pub record: Record,
    kept: Vec<Kept>,
}

/// The store of a sweep, and its directory if no other sweep uses it.
struct Kept {
    store: Store,
    own: Option<PathBuf>,
}

/// Measures a library. As one of several, it is named `name`, and its unfinished results are kept apart.
pub fn take(
    args: &Args,
    runner: &Runner,
    plan: &Plan,
    name: Option<&str>,
    quiet: bool,
) -> Result<Taken> {
    let kept = match &args.out {
        Some(dir) => {
            let own = name.map(|name| dir.join(directory(name)));
            let place = own.as_ref().unwrap_or(dir);
            atomic_file::prepare(place)?;
            Some(Kept { store: open_store(place, &identity(runner, plan)?)?, own })
        }
        None => None,
    };
    let record = measure(runner, plan, kept.as_ref().map(|k| &k.store), args, quiet)?;
    Ok(Taken { record, kept: kept.into_iter().collect() })
}

/// A library's directory if there are several: its name as one component of a path, distinct for every name.
fn directory(name: &str) -> String {
    name.replace('%', "%25").replace('/', "%2F").replace(':', "-")
}

impl Taken {
    /// Adds what was measured for another library or core on the same target.
    pub fn join(mut self, other: Taken) -> Taken {
        self.record.join(other.record);
        self.kept.extend(other.kept);
        self
    }

    /// Removes the stores, since the record is written.
    ///
    /// # Errors
    /// Names the directory that cannot be removed.
    pub fn finish(self) -> Result<()> {
        for Kept { store, own } in self.kept {
            store.finish()?;
            // The directory may hold other files.
            own.map_or(Ok(()), |own| std::fs::remove_dir(own).or(Ok::<(), std::io::Error>(())))?;
        }
        Ok(())
    }
}

fn identity(runner: &Runner, plan: &Plan) -> Result<Identity> {
    let cases = plan.cases.iter().map(|c| c.id.clone()).collect();
    let vectors = plan.gate.as_ref().map_or("none".into(), |g| g.id());
    runner.identity(TOOL, cases, plan.bytes.clone(), vectors)
}

fn measure(
    runner: &Runner,
    plan: &Plan,
    store: Option<&Store>,
    args: &Args,
    quiet: bool,
) -> Result<Record> {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(plan.len() as u64) };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} configurations {elapsed} {msg}")
        .context("the template is fixed")?;
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    let swept = sweep::run(runner, plan, store, &|| bar.inc(1))?;
    let explain = args.explain || args.caps.iter().any(|c| EXPLAINED.contains(&c.as_str()));
    let mut record = record(runner, plan, swept, TOOL, explain)?;
    if args.speed {
        bar.set_message("openssl speed");
        record.speed = speed::measure(runner, plan, &record.rows, &|| bar.tick())?;
    }
    bar.finish_and_clear();
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::directory;

    #[test]
    fn results_of_a_library_file_are_kept_below_out() {
        assert_eq!(directory("openssl:asm"), "openssl-asm");
        let names = ["/opt/a/b", "/opt/a%2Fb", "../a", "./a"].map(directory);
        for (i, name) in names.iter().enumerate() {
            assert!(!name.contains('/') && !matches!(name.as_str(), "." | ".."), "{name}");
            assert_eq!(names.iter().position(|n| n == name), Some(i));
        }
    }
}
