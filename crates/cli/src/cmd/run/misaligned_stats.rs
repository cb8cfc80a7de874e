//! `capvec run --stats=misaligned`: which instructions make misaligned accesses.

use super::{Args, EngineArg, guest};
use crate::cmd::{Usage, stderr_is_ready};
use anyhow::Result;
use capvec_profile::annotate::Annotator;
use capvec_timing::Core;
use std::io::Write;
use std::process::ExitCode;

/// Runs the program in the interpreter, and prints what it noted.
pub fn run(args: &Args, core: &Core) -> Result<ExitCode> {
    let other = [
        (args.bare.bare, "--bare"),
        (args.profile.is_some(), "--profile"),
        (args.gdb.is_some(), "--gdb"),
        (args.engine.is_some_and(|e| e != EngineArg::Interp), "--engine"),
    ];
    if let Some((_, flag)) = other.iter().find(|(given, _)| *given) {
        return Err(Usage(format!("--stats=misaligned does not work with {flag}")).into());
    }
    let annotator = Annotator::new(core.timing());
    let mut options = guest::options(&args.guest.launch, core)?;
    options.profile = Some(annotator.follower());
    let mut machine = match guest::machine(options, Box::new(annotator.clone())) {
        Ok(machine) => machine,
        Err(code) => return Ok(code),
    };
    let exit = machine.run();
    let text = annotator.listing().misaligned();
    let written = stderr_is_ready() && std::io::stderr().lock().write_all(text.as_bytes()).is_ok();
    match exit.status.code() {
        0 if !written => Ok(ExitCode::from(1)),
        code => Ok(ExitCode::from(code)),
    }
}
