//! Runs published measurements of `openssl speed` on core models: `capvec cores validate`.

use crate::capset::CapSet;
use crate::case;
use crate::openssl_speed_rows::{arguments, parse};
use crate::requests::Command;
use crate::run::{Configuration, Runner};
use anyhow::{Context, Result};
use capvec_record::predicted::{Predicted, Prediction, VERSION};
use capvec_record::published::silicon::{Line, Needs};
use capvec_record::{Record, Row};
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

/// Makes the runner of a core, given by its name.
pub type MakeRunner<'a> = &'a (dyn Fn(&str) -> Result<Runner> + Sync);

/// What runs the measured programs.
#[derive(Clone, Copy)]
pub struct Programs<'a> {
    /// Debian's OpenSSL.
    pub stock: MakeRunner<'a>,
    /// A build of OpenSSL's C with its command `openssl`, for figures of such programs, if there is one.
    pub c_build: Option<MakeRunner<'a>>,
    /// Figures of kernels, measured by `capvec measure`.
    pub measured: &'a [Record],
}

/// Predicts each figure, on all processors: in the fixed layout of memory, or in `layouts` random ones if that is not 0.
/// `progress` is called after each figure.
///
/// # Errors
/// Names the figure whose program could not be run.
pub fn run(
    lines: &[Line],
    programs: Programs,
    layouts: u64,
    tool: &str,
    progress: &(dyn Fn() + Sync),
) -> Result<Predicted> {
    let stock = runners(lines, Needs::Stock, programs.stock)?;
    let c_build = |make| runners(lines, Needs::CBuild, make);
    let c_build = programs.c_build.map_or(Ok(Vec::new()), c_build)?;
    let rows = pool::each(lines, |line| {
        let own = match line.needs() {
            Needs::Stock => &stock,
            Needs::CBuild => &c_build,
            Needs::Measured => return kernel(line, programs.measured),
        };
        let runner = own.iter().find(|(name, _)| *name == line.core).map(|(_, runner)| runner);
        let what = || format!("{}, {}, {} bytes", line.core, line.case, line.bytes);
        let row = one(line, runner, layouts).with_context(what)?;
        progress();
        Ok(row)
    })?;
    let version = match stock.first() {
        Some((_, runner)) => runner.version()?.into(),
        None => String::new(),
    };
    Ok(Predicted { predicted: VERSION, tool: tool.into(), version, c_build: None, rows })
}

/// The figure of a kernel, from the records that have it.
fn kernel(line: &Line, measured: &[Record]) -> Result<Prediction> {
    let same = |r: &&Row| {
        (&r.core, &r.case, &r.capset, r.bytes) == (&line.core, &line.case, &line.set, line.bytes)
    };
    let found = measured.iter().flat_map(|record| &record.rows).find(same);
    let predicted = found.and_then(Row::cycles_per_byte);
    let out_of_order = Core::load(&line.core)?.model.is_out_of_order();
    Ok(Prediction::of(line, out_of_order, predicted.as_slice()))
}

/// The runners of the cores that have figures of programs like this one.
fn runners(lines: &[Line], needs: Needs, make: MakeRunner) -> Result<Vec<(String, Runner)>> {
    let own = lines.iter().filter(|l| l.needs() == needs);
    let mut names: Vec<&str> = own.map(|l| l.core.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| Ok((name.to_string(), make(name)?))).collect()
}

fn one(line: &Line, runner: Option<&Runner>, layouts: u64) -> Result<Prediction> {
    let Some(runner) = runner else {
        let core = Core::load(&line.core)?;
        return Ok(Prediction::of(line, core.model.is_out_of_order(), &[]));
    };
    let core = runner.target().core().context("a modelled core")?;
    let out_of_order = core.model.is_out_of_order();
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
