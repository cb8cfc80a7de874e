//! `capvec bench` in the simulator.

use super::args::Args;
use super::plan::{self, warn};
use super::taken::{Taken, take};
use crate::cmd::{Usage, model, setup};
use anyhow::Result;
use capvec_bench::sweep::Plan;
use capvec_record::output;

/// Measures every library on the same sets; `None` if nothing but the set-up was asked for.
pub fn run(args: &Args, quiet: bool) -> Result<Option<Taken>> {
    let place = args.place();
    let libraries = place.libraries(&args.subjects())?;
    let several = libraries.len() > 1;
    if several && (args.speed || args.explain) {
        return Err(Usage("--speed, --explain: only with one --subject".into()).into());
    }
    let cores = model::all(&args.cores(), &args.set)?;
    let plans = cores.iter().map(|c| plan::simulated(args, c)).collect::<Result<Vec<Plan>>>()?;
    args.out.as_ref().map_or(Ok(()), |dir| output::prepare(dir))?;
    let mut all: Option<Taken> = None;
    let on = cores.iter().zip(&plans);
    for (library, (core, plan)) in libraries.iter().flat_map(|l| on.clone().map(move |on| (l, on)))
    {
        let runner = setup::runner(&place, library, core.clone(), &args.programs(), quiet)?;
        if args.setup_only {
            continue;
        }
        if all.is_none() {
            warn(plan);
        }
        // What is unfinished of one of several is kept apart.
        let digest = core.identity.digest.get(..16).unwrap_or_default();
        let name = match cores.len() {
            1 => library.name.clone(),
            _ => format!("{}-{digest}", library.name),
        };
        let beside = (several || cores.len() > 1).then_some(name.as_str());
        let mut taken = take(args, &runner, plan, beside, quiet)?;
        taken.record.builds.extend(library.build.as_ref().map(|b| b.manifest.clone()));
        all = Some(match all {
            Some(all) => all.join(taken),
            None => taken,
        });
    }
    Ok(all)
}
