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
    // Figures of several boards with the same core are predicted by one run.
    let mut distinct: Vec<&Line> = Vec::new();
    for line in lines {
        if !distinct.iter().any(|d| is_same_run(d, line)) {
            distinct.push(line);
        }
    }
    let predicted = pool::each(&distinct, |line| {
        let own = match line.needs() {
            Needs::Stock => &stock,
            Needs::CBuild => &c_build,
            Needs::Measured => return measured(line, programs.measured),
        };
        let runner = own.iter().find(|(name, _)| *name == line.core).map(|(_, runner)| runner);
        let what = || format!("{}, {}, {} bytes", line.core, line.case, line.bytes);
        let ran = one(line, runner, layouts).with_context(what)?;
        lines.iter().filter(|l| is_same_run(l, line)).for_each(|_| progress());
        Ok(ran)
    })?;
    let row = |line: &Line| -> Result<Prediction> {
        let mut all = distinct.iter().zip(&predicted);
        let (_, ran) = all.find(|(d, _)| is_same_run(d, line)).context("a run")?;
        Ok(Prediction::of(line, ran.out_of_order, &ran.cycles))
    };
    let rows = lines.iter().map(row).collect::<Result<_>>()?;
    let version = match stock.first() {
        Some((_, runner)) => runner.version()?.into(),
        None => String::new(),
    };
    Ok(Predicted { predicted: VERSION, tool: tool.into(), version, c_build: None, rows })
}

/// What a run gives.
struct Ran {
    out_of_order: bool,
    /// Cycles per byte in each layout; none without a program to run.
    cycles: Vec<f64>,
}

/// Whether both figures are predicted by the same run.
fn is_same_run(a: &Line, b: &Line) -> bool {
    let run = |l: &Line| (l.needs(), l.bytes, seconds(l));
    run(a) == run(b) && (&a.core, &a.case, &a.set) == (&b.core, &b.case, &b.set)
}

/// How many seconds of the core's time are measured.
fn seconds(line: &Line) -> u64 {
    let cycles = MESSAGES * line.cycles_per_byte() * line.bytes as f64;
    (cycles / CLOCK as f64).ceil().clamp(LEAST_SECONDS, MOST_SECONDS) as u64
}

/// Cycles per byte of a kernel, from the records that have it.
fn measured(line: &Line, measured: &[Record]) -> Result<Ran> {
    let same = |r: &&Row| {
        (&r.core, &r.case, &r.capset, r.bytes) == (&line.core, &line.case, &line.set, line.bytes)
    };
    let found = measured.iter().flat_map(|record| &record.rows).find(same);
    let out_of_order = Core::load(&line.core)?.model.is_out_of_order();
    Ok(Ran { out_of_order, cycles: found.and_then(Row::cycles_per_byte).into_iter().collect() })
}

/// The runners of the cores that have figures of programs like this one.
fn runners(lines: &[Line], needs: Needs, make: MakeRunner) -> Result<Vec<(String, Runner)>> {
    let own = lines.iter().filter(|l| l.needs() == needs);
    let mut names: Vec<&str> = own.map(|l| l.core.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|name| Ok((name.to_string(), make(name)?))).collect()
}

fn one(line: &Line, runner: Option<&Runner>, layouts: u64) -> Result<Ran> {
    let Some(runner) = runner else {
        let out_of_order = Core::load(&line.core)?.model.is_out_of_order();
        return Ok(Ran { out_of_order, cycles: Vec::new() });
    };
    let core = runner.target().core().context("a modelled core")?;
    let out_of_order = core.model.is_out_of_order();
    let cases = case::select_by("case", std::slice::from_ref(&line.case))?;
    let case = cases.first().context("a case")?;
    let capset = CapSet::of(&line.set, &core.isa)?;
    let seeds: Vec<Option<u64>> =
        if layouts == 0 { vec![None] } else { (0..layouts).map(Some).collect() };
    let in_layout = |layout: Option<u64>| -> Result<f64> {
        let command = Command(arguments(&case.speed, line.bytes, seconds(line)));
        let c = Configuration { layout, ..Configuration::new(core.vlen, capset.clone()) };
        let output = runner.run(&c, command)?.stdout;
        let speed = parse(&output).context("it printed no figure")?;
        Ok(core.frequency as f64 / speed)
    };
    Ok(Ran { out_of_order, cycles: seeds.into_iter().map(in_layout).collect::<Result<_>>()? })
}
