//! `capvec bench` in the simulator.

use super::args::Args;
use super::plan::{self, warn};
use super::taken::{Taken, take};
use crate::cmd::{Usage, model, setup};
use anyhow::Result;
use capvec_bench::output;
use capvec_bench::subject::Subject;
use capvec_bench::sweep::Plan;

/// Measures every library on the same sets; `None` if nothing but the set-up was asked for.
pub fn run(args: &Args, quiet: bool) -> Result<Option<Taken>> {
    let parse = |s: String| Ok(s.parse().map_err(|e| Usage(format!("--subject {s}: {e}")))?);
    let subjects = args.subjects().into_iter().map(parse).collect::<Result<Vec<Subject>>>()?;
    let several = subjects.len() > 1;
    if several && (args.speed || args.explain) {
        return Err(Usage("--speed, --explain: only with one --subject".into()).into());
    }
    let cores = model::all(&args.cores(), &args.set)?;
    let plans = cores.iter().map(|c| plan::simulated(args, c)).collect::<Result<Vec<Plan>>>()?;
    args.out.as_ref().map_or(Ok(()), |dir| output::prepare(dir))?;
    let sysroot = args.sysroot.as_deref().unwrap_or("trixie-riscv64");
    let mut all: Option<Taken> = None;
    let each = |s: &Subject| cores.iter().zip(&plans).map(|(c, p)| (*s, c, p)).collect::<Vec<_>>();
    for (subject, core, plan) in subjects.iter().flat_map(each) {
        let runner = setup::runner(subject, core.clone(), sysroot, args.programs(), quiet)?;
        if args.setup_only {
            continue;
        }
        if all.is_none() {
            warn(plan);
        }
        // What is unfinished of one of several is kept apart.
        let digest = core.identity.digest.get(..16).unwrap_or_default();
        let name = match cores.len() {
            1 => subject.name().to_string(),
            _ => format!("{}-{digest}", subject.name()),
        };
        let beside = (several || cores.len() > 1).then_some(name.as_str());
        let taken = take(args, &runner, plan, beside, quiet)?;
        all = Some(match all {
            Some(all) => all.join(taken),
            None => taken,
        });
    }
    Ok(all)
}
