//! `capvec run --region`: what functions and marked code execute and cost.

use super::{Args, EngineArg, guest, host};
use crate::cmd::{Usage, say, stderr_is_ready, usage};
use anyhow::Result;
use capvec_jit::{Sorter, Unsupported};
use capvec_linux::Options;
use capvec_profile::regions::{
    COUNTERS, MARKS, Region, RegionEngine, SortedRegions, Wanted, json, text,
};
use capvec_record::{RegionRecord, VectorsRecord};
use capvec_sim::Engine;
use capvec_sim::insn::Insn;
use capvec_text::escape;
use capvec_timing::Core;
use capvec_util::atomic_file;
use serde_json::json as object;
use std::io::Write;
use std::process::ExitCode;

/// A function that takes the regions out of an engine after the run.
type Finish = Box<dyn FnOnce() -> Vec<Region>>;

/// The regions that `--region` names.
pub fn wanted(words: &[String]) -> Result<Wanted> {
    Ok(Wanted::parse(words).map_err(|e| Usage(format!("--region {e}")))?)
}

/// The names of the regions of which an instruction was executed.
pub fn executed(regions: &[Region]) -> impl Iterator<Item = String> {
    regions.iter().filter(|r| r.counts.insns > 0).map(|r| r.name.clone())
}

/// What is said of a word of `--region` of which no instruction was executed.
pub fn absent(name: &str) -> String {
    let why = match name {
        MARKS => {
            "no mark was executed; put CAPVEC_BEGIN(n) and CAPVEC_END(n) around the code (docs/own-code.md)"
        }
        COUNTERS => "neither cycle nor instret was read twice",
        _ => "nothing was executed there; a function needs a symbol of that name (docs/profile.md)",
    };
    format!("--region {}: {why}", escape::line(name))
}

/// The counts of a region as records have them, without core, VLEN and capability set, which the caller adds.
pub fn record(region: Region) -> RegionRecord {
    let Region { name, counts: c } = region;
    let vectors = c.vectors.iter().map(|((sew, lmul_log2, vl), retired)| VectorsRecord {
        sew: *sew,
        lmul_log2: *lmul_log2,
        vl: *vl,
        retired: *retired,
    });
    RegionRecord {
        region: name,
        entries: c.entries,
        retired: c.insns,
        cycles: c.cycles,
        by_class: c.by_class(),
        by_instruction: c.by_instruction(),
        vectors: vectors.collect(),
        ..RegionRecord::default()
    }
}

/// Runs the program, and prints its regions.
pub fn run(args: &Args, core: &Core) -> Result<ExitCode> {
    let limits = &args.guest.launch.limits;
    let other = [
        (args.bare.bare, "--bare"),
        (args.profile.is_some(), "--profile"),
        (args.gdb.is_some(), "--gdb"),
        (limits.stats.is_some(), "--stats"),
        (args.engine == Some(EngineArg::Both), "--engine both"),
    ];
    if let Some((_, flag)) = other.iter().find(|(given, _)| *given) {
        return Err(Usage(format!("--region does not work with {flag}")).into());
    }
    let wanted = wanted(&args.region)?;
    let all = wanted.clone();
    let mut options = guest::options(&args.guest.launch, core)?;
    let (engine, finish) = match args.engine {
        None => counting(core, wanted, &mut options),
        Some(EngineArg::Jit) if wanted.counters => {
            return Err(Usage("--region @counters works only with --engine interp".into()).into());
        }
        Some(EngineArg::Jit) => {
            let jit = capvec_jit::Options { host: host(args)?, ..Default::default() };
            translating(core, &wanted, jit, &mut options).map_err(usage)?
        }
        Some(_) => interpreting(core, wanted, &mut options),
    };
    let mut machine = match guest::machine(options, engine) {
        Ok(machine) => machine,
        Err(code) => return Ok(code),
    };
    let exit = machine.run();
    let regions = finish();
    for name in all.absent(&executed(&regions).collect()) {
        say!("warning: {}", absent(&name));
    }
    let shown = escape::lines(&text(&regions)).into_owned();
    let mut written =
        stderr_is_ready() && std::io::stderr().lock().write_all(shown.as_bytes()).is_ok();
    if let Some(path) = &limits.stats_json {
        let counts = object!({ "core": core.identity.label, "retired": exit.instret, "cycles": exit.cycles, "regions": json(&regions) });
        let result = atomic_file::replace(path, format!("{counts:#}\n"));
        written &=
            result.inspect_err(|e| say!("--stats-json: {}: {e}", escape::path(path))).is_ok();
    }
    match exit.status.code() {
        0 if !written => Ok(ExitCode::from(1)),
        code => Ok(ExitCode::from(code)),
    }
}

/// The engine that counts regions: the translating one where it can, which is faster.
pub fn counting(core: &Core, wanted: Wanted, options: &mut Options) -> (Box<dyn Engine>, Finish) {
    let translating = match wanted.counters {
        true => None,
        false => translating(core, &wanted, capvec_jit::Options::default(), options).ok(),
    };
    translating.unwrap_or_else(|| interpreting(core, wanted, options))
}

/// The interpreter, which counts every instruction.
fn interpreting(core: &Core, wanted: Wanted, options: &mut Options) -> (Box<dyn Engine>, Finish) {
    let engine = RegionEngine::new(core.timing(), wanted);
    options.profile = Some(engine.follower());
    (Box::new(engine.clone()), Box::new(move || engine.finish()))
}

/// The translating engine, which counts blocks.
fn translating(
    core: &Core,
    wanted: &Wanted,
    jit: capvec_jit::Options,
    options: &mut Options,
) -> Result<(Box<dyn Engine>, Finish), Unsupported> {
    let regions = SortedRegions::new(wanted.clone(), core.timing().is_some());
    let sorter = Box::new(Sorted(regions.clone()));
    let (engine, counted) = capvec_jit::sorted(jit, core.timing(), sorter)?;
    options.profile = Some(regions.follower());
    let finish = move || {
        let sets = counted.sets();
        regions.finish(sets.iter().map(|set| (&*set.by_op, &set.vectors)))
    };
    Ok((engine, Box::new(finish)))
}

/// Passes the translating engine's questions on to the regions.
struct Sorted(SortedRegions);

impl Sorter for Sorted {
    fn crosses(&mut self, from: u64, to: u64) -> bool {
        self.0.crosses(from, to)
    }

    fn divides(&mut self, insns: &[Insn]) -> bool {
        self.0.divides(insns)
    }

    fn within(&mut self, i: &Insn, cycles: u64) -> usize {
        self.0.within(i, cycles)
    }

    fn divided(&mut self, cycles: u64) -> usize {
        self.0.divided(cycles)
    }

    fn goes(&mut self, to: u64, link: u64, cycles: u64) -> usize {
        self.0.goes(to, link, cycles)
    }

    fn begins(&mut self, pc: u64, cycles: u64) -> usize {
        self.0.begins(pc, cycles)
    }

    fn ends(&mut self, cycles: u64) {
        self.0.ends(cycles);
    }
}
