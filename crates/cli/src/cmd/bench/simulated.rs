//! `capvec bench` in the simulator.

use super::args::Args;
use super::plan::{self, warn};
use super::taken::{Taken, take};
use crate::cmd::{Usage, setup, usage};
use anyhow::Result;
use capvec_bench::output;
use capvec_bench::subject::Subject;
use capvec_timing::Core;

/// Measures every library on the same sets; `None` if nothing but the set-up was asked for.
pub fn run(args: &Args, quiet: bool) -> Result<Option<Taken>> {
    let parse = |s: String| Ok(s.parse().map_err(|e| Usage(format!("--subject {s}: {e}")))?);
    let subjects = args.subjects().into_iter().map(parse).collect::<Result<Vec<Subject>>>()?;
    let several = subjects.len() > 1;
    if several && (args.speed || args.explain) {
        return Err(Usage("--speed, --explain: only with one --subject".into()).into());
    }
    let core = Core::load(args.core.as_deref().unwrap_or("karu64")).map_err(usage)?;
    let plan = plan::simulated(args, &core)?;
    args.out.as_ref().map_or(Ok(()), |dir| output::prepare(dir))?;
    let sysroot = args.sysroot.as_deref().unwrap_or("trixie-riscv64");
    let mut all: Option<Taken> = None;
    for subject in subjects {
        let runner = setup::runner(subject, core.clone(), sysroot, args.programs(), quiet)?;
        if args.setup_only {
            continue;
        }
        if all.is_none() {
            warn(&plan);
        }
        let taken = take(args, &runner, &plan, several.then(|| subject.name()), quiet)?;
        all = Some(match all {
            Some(all) => all.join(taken),
            None => taken,
        });
    }
    Ok(all)
}
