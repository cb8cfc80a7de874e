//! `capvec run --region`: what functions and marked code execute and cost.

use super::{Args, EngineArg, engine, guest};
use crate::cmd::{Usage, say, stderr_is_ready};
use anyhow::Result;
use capvec_linux::Options;
use capvec_profile::regions::{Region, RegionEngine, Wanted, json, of_profile, text};
use capvec_profile::{Recorder, Shared};
use capvec_sim::Engine;
use capvec_text::escape;
use capvec_timing::Core;
use capvec_util::atomic_file;
use serde_json::json as object;
use std::cell::RefCell;
use std::io::Write;
use std::process::ExitCode;
use std::rc::Rc;

/// What takes the regions out of an engine after the run.
type Finish = Box<dyn FnOnce() -> Vec<Region>>;

/// The regions that `--region` names.
pub fn wanted(words: &[String]) -> Result<Wanted> {
    Ok(Wanted::parse(words).map_err(|e| Usage(format!("--region {e}")))?)
}

/// A warning for each function that no instruction was executed of.
pub fn warn_of_absent(regions: &[Region]) {
    for r in regions.iter().filter(|r| r.counts.insns == 0) {
        say!(
            "warning: --region {}: nothing was executed there; a function needs a symbol of that name (docs/profile.md)",
            escape::line(&r.name)
        );
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
    let mut options = guest::options(&args.guest.launch, core)?;
    let (engine, finish) = match args.engine {
        Some(EngineArg::Jit) => calls(args, core, wanted, &mut options)?,
        _ => counting(core, wanted, &mut options),
    };
    let mut machine = match guest::machine(options, engine) {
        Ok(machine) => machine,
        Err(code) => return Ok(code),
    };
    let exit = machine.run();
    let regions = finish();
    warn_of_absent(&regions);
    let shown = escape::lines(&text(&regions)).into_owned();
    let mut written =
        stderr_is_ready() && std::io::stderr().lock().write_all(shown.as_bytes()).is_ok();
    if let Some(path) = &limits.stats_json {
        let all = object!({ "core": core.identity.label, "retired": exit.instret, "cycles": exit.cycles, "regions": json(&regions) });
        let result = atomic_file::replace(path, format!("{all:#}\n"));
        written &=
            result.inspect_err(|e| say!("--stats-json: {}: {e}", escape::path(path))).is_ok();
    }
    match exit.status.code() {
        0 if !written => Ok(ExitCode::from(1)),
        code => Ok(ExitCode::from(code)),
    }
}

/// The interpreter, which counts every instruction.
pub fn counting(core: &Core, wanted: Wanted, options: &mut Options) -> (Box<dyn Engine>, Finish) {
    let engine = RegionEngine::new(core.timing(), wanted);
    options.profile = Some(engine.follower());
    (Box::new(engine.clone()), Box::new(move || engine.finish()))
}

/// The translating engine, which reports calls: the instructions and cycles of functions.
fn calls(
    args: &Args,
    core: &Core,
    wanted: Wanted,
    options: &mut Options,
) -> Result<(Box<dyn Engine>, Finish)> {
    if wanted.marks || wanted.counters {
        return Err(Usage(
            "--region @marks and @counters take --engine interp, the default".into(),
        )
        .into());
    }
    let mut engine = engine(args, core, None)?;
    let recorder = Rc::new(RefCell::new(Recorder::new(core.timing().is_some())));
    engine.report_calls(Box::new(Shared(Rc::clone(&recorder))));
    options.profile = Some(Rc::clone(&recorder) as _);
    let finish = move || of_profile(&recorder.borrow_mut().finish(), &wanted.functions);
    Ok((engine, Box::new(finish)))
}
