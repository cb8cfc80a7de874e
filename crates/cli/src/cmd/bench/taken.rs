//! What `capvec bench` takes of a library, and the record of it.

use super::args::Args;
use super::plan::rules;
use crate::cmd::setup::{TOOL, open_store};
use anyhow::{Context, Result};
use capvec_bench::cores;
use capvec_bench::host::{self, command};
use capvec_bench::kat::Gate;
use capvec_bench::run::Runner;
use capvec_bench::speed;
use capvec_bench::sweep::{self, Identity, Plan, Store};
use capvec_record::output;
use capvec_record::view::{explain, fit};
use capvec_record::{CoreRecord, Kind, Record, method};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::time::Duration;

/// Families of capability sets that are for finding out what an extension adds.
const EXPLAINED: [&str; 3] = ["singles", "dispatch", "all-subsets"];

/// A record, with what is kept of its sweeps until it is written.
pub struct Taken {
    /// The record.
    pub record: Record,
    kept: Vec<Kept>,
}

/// What is kept of a sweep, and its directory if that is of it alone.
struct Kept {
    store: Store,
    own: Option<PathBuf>,
}

/// Measures a library; `beside` others, it is known by this name, and what is unfinished of it is kept apart.
pub fn take(
    args: &Args,
    runner: &Runner,
    plan: &Plan,
    beside: Option<&str>,
    quiet: bool,
) -> Result<Taken> {
    let kept = match &args.out {
        Some(dir) => {
            let own = beside.map(|name| dir.join(name.replace(':', "-")));
            let place = own.as_ref().unwrap_or(dir);
            output::prepare(place)?;
            Some(Kept { store: open_store(place, &identity(runner, plan)?)?, own })
        }
        None => None,
    };
    let record = measure(runner, plan, kept.as_ref().map(|k| &k.store), args, quiet)?;
    Ok(Taken { record, kept: kept.into_iter().collect() })
}

impl Taken {
    /// With what was taken of another library or core on the same target.
    pub fn join(mut self, other: Taken) -> Taken {
        let (all, more) = (&mut self.record, other.record);
        all.rows.extend(more.rows);
        all.configurations.extend(more.configurations);
        all.fits.extend(more.fits);
        all.explanations.extend(more.explanations);
        all.speed.extend(more.speed);
        let known: Vec<String> = all.cores.iter().map(|c| c.label.clone()).collect();
        all.cores.extend(more.cores.into_iter().filter(|c| !known.contains(&c.label)));
        let known: Vec<String> = all.builds.iter().map(|b| b.name.clone()).collect();
        all.builds.extend(more.builds.into_iter().filter(|b| !known.contains(&b.name)));
        all.target.warnings.extend(more.target.warnings);
        if !all.driver.contains(&more.driver) {
            all.driver = format!("{} {}", all.driver, more.driver).trim().into();
        }
        if all.target.processor != more.target.processor {
            all.target.processor.clear();
        }
        if all.self_check == "exact" {
            all.self_check = more.self_check;
        }
        if all.target.counter_check == "exact" {
            all.target.counter_check = more.target.counter_check;
        }
        self.kept.extend(other.kept);
        self
    }

    /// Removes what was kept: the record is written.
    ///
    /// # Errors
    /// Names the directory if that fails.
    pub fn finish(self) -> Result<()> {
        for Kept { store, own } in self.kept {
            store.finish()?;
            // Somebody else may keep files there.
            own.map_or(Ok(()), |own| std::fs::remove_dir(own).or(Ok::<(), std::io::Error>(())))?;
        }
        Ok(())
    }
}

fn identity(runner: &Runner, plan: &Plan) -> Result<Identity> {
    let cases = plan.cases.iter().map(|c| c.id.clone()).collect();
    let vectors = plan.gate.as_ref().map_or("none".into(), Gate::id);
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
    let speed = if args.speed {
        bar.set_message("openssl speed");
        speed::measure(runner, plan, &swept.rows, &|| bar.tick())?
    } else {
        Vec::new()
    };
    bar.finish_and_clear();
    // Of what a mask leaves out, an extension of the hart cannot be told.
    let modelled = swept.target.kind == Kind::Modelled;
    let explained =
        modelled && (args.explain || args.caps.iter().any(|c| EXPLAINED.contains(&c.as_str())));
    Ok(Record {
        tool: TOOL.into(),
        command: command(),
        machine: host::this(),
        method: method(swept.target.kind).into(),
        builds: Vec::new(),
        target: swept.target,
        cores: cores(runner)?,
        packages: runner.packages().to_vec(),
        driver: runner.driver_id().into(),
        self_check: swept.self_check,
        vectors: plan.gate.as_ref().map_or(0, Gate::len),
        without_vectors: without_vectors(plan),
        fits: fit::fits(&swept.rows),
        explanations: if explained {
            explain::explanations(&swept.rows, &swept.configurations, &rules(plan)?)
        } else {
            Vec::new()
        },
        configurations: swept.configurations,
        speed,
        rows: swept.rows,
    })
}

/// The core model, where there is one.
fn cores(runner: &Runner) -> Result<Vec<CoreRecord>> {
    Ok(runner.target().core().map(cores::record).transpose()?.into_iter().collect())
}

/// Cases of which the gate had nothing to check.
fn without_vectors(plan: &Plan) -> Vec<String> {
    let unchecked = plan.gate.iter().flat_map(Gate::unchecked);
    unchecked.filter_map(|i| Some(plan.cases.get(i)?.id.clone())).collect()
}
