//! Runs published measurements of `openssl speed` on core models: `capvec cores validate`.

use crate::capset::CapSet;
use crate::case;
use crate::openssl_speed_rows::{arguments, parse};
use crate::requests::Command;
use crate::run::{Configuration, Runner};
use anyhow::{Context, Result};
use capvec_record::predicted::{Predicted, Prediction, VERSION};
use capvec_record::published::silicon::Line;
use capvec_timing::Core;
use capvec_util::pool;

/// The clock of a model while it is measured, in Hz. Cycles per byte do not depend on it, but a second of a fast core's
/// time would take the host many seconds.
const CLOCK: u64 = 25_000_000;

/// Approximate number of measured messages, large enough that the start of the program does not matter.
const MESSAGES: f64 = 200.0;

/// The shortest measurement, in seconds of the core's time. The start of `openssl speed`, much of which misses the
/// second-level cache, takes more than 1 % of a measurement of one second.
const LEAST_SECONDS: f64 = 10.0;

/// The longest measurement.
const MOST_SECONDS: f64 = 120.0;

/// A core with the clock at which it is measured.
///
/// # Errors
/// There is no such core.
pub fn core(name: &str) -> Result<Core> {
    Ok(clocked(Core::load(name)?))
}

/// The same core with the clock at which models are measured.
pub fn clocked(core: Core) -> Core {
    Core { frequency: CLOCK, ..core }
}

/// Predicts each figure, on all processors: in the fixed layout of memory, or in `layouts` random ones if that is not 0.
/// `runner` gives the runner of a core; `progress` is called after each figure.
///
/// # Errors
/// Names the figure whose program could not be run.
pub fn run(
    lines: &[Line],
    runner: &(dyn Fn(&str) -> Result<Runner> + Sync),
    layouts: u64,
    tool: &str,
    progress: &(dyn Fn() + Sync),
) -> Result<Predicted> {
    let mut names: Vec<&str> = lines.iter().map(|l| l.core.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let runners: Vec<(&str, Runner)> =
        names.into_iter().map(|name| Ok((name, runner(name)?))).collect::<Result<_>>()?;
    let rows = pool::each(lines, |line| {
        let found = runners.iter().find(|(name, _)| *name == line.core);
        let (_, runner) = found.context("there is a runner for each core")?;
        let what = || format!("{}, {}, {} bytes", line.core, line.case, line.bytes);
        let row = one(line, runner, layouts).with_context(what)?;
        progress();
        Ok(row)
    })?;
    let version = match runners.first() {
        Some((_, runner)) => runner.version()?.into(),
        None => String::new(),
    };
    Ok(Predicted { predicted: VERSION, tool: tool.into(), version, rows })
}

fn one(line: &Line, runner: &Runner, layouts: u64) -> Result<Prediction> {
    let core = runner.target().core().context("a modelled core")?;
    let out_of_order = core.model.is_out_of_order();
    if line.incomparable().is_some() {
        return Ok(Prediction::of(line, out_of_order, &[]));
    }
    let cases = case::select_by("case", std::slice::from_ref(&line.case))?;
    let case = cases.first().context("a case")?;
    let capset = CapSet::of(&line.set, &core.isa)?;
    let seeds: Vec<Option<u64>> =
        if layouts == 0 { vec![None] } else { (0..layouts).map(Some).collect() };
    let cycles = MESSAGES * line.cycles_per_byte() * line.bytes as f64;
    let seconds = (cycles / CLOCK as f64).ceil().clamp(LEAST_SECONDS, MOST_SECONDS);
    let in_layout = |layout: Option<u64>| -> Result<f64> {
        let command = Command(arguments(&case.speed, line.bytes, seconds as u64));
        let c = Configuration { layout, ..Configuration::new(core.vlen, capset.clone()) };
        let output = runner.run(&c, command)?.stdout;
        let speed = parse(&output).context("it printed no figure")?;
        Ok(core.frequency as f64 / speed)
    };
    let predicted = seeds.into_iter().map(in_layout).collect::<Result<Vec<f64>>>()?;
    Ok(Prediction::of(line, out_of_order, &predicted))
}
