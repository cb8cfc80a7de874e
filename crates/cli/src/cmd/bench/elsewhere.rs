//! `capvec bench` on targets that are no simulator.

use super::args::Args;
use super::plan::{self, warn};
use super::taken::{Taken, take};
use crate::cmd::Usage;
use crate::cmd::place::{Place, wanted};
use crate::cmd::setup::spinner;
use anyhow::Result;
use capvec_bench::case::Case;
use capvec_bench::run::Runner;
use capvec_bench::sweep::Plan;
use capvec_record::output;

/// Measures every subject on the target; `None` if nothing but the set-up was asked for.
pub fn run(args: &Args, quiet: bool) -> Result<Option<Taken>> {
    let place = args.place();
    if args.speed || args.mix || args.explain {
        let what = "--speed, --mix, --explain: only with --target sim, whose clock and instructions they show";
        return Err(Usage(what.into()).into());
    }
    let libraries = place.libraries(&args.subjects())?;
    let cases = plan::cases(args)?;
    args.out.as_ref().map_or(Ok(()), |dir| output::prepare(dir))?;
    let mut all: Option<Taken> = None;
    for library in &libraries {
        let bar = spinner(quiet);
        let told = &mut |what: &str| bar.set_message(what.to_string());
        let runner = place.with(&args.programs(), library, told)?;
        bar.finish_and_clear();
        if args.setup_only {
            continue;
        }
        let plan = planned(args, &place, &runner, cases.clone())?;
        warn(&plan);
        let beside = (libraries.len() > 1).then_some(library.name.as_str());
        let mut taken = take(args, &runner, &plan, beside, quiet)?;
        taken.record.builds.extend(library.build.as_ref().map(|b| b.manifest.clone()));
        all = Some(match all {
            Some(all) => all.join(taken),
            None => taken,
        });
    }
    Ok(all)
}

fn planned(args: &Args, place: &Place, runner: &Runner, cases: Vec<Case>) -> Result<Plan> {
    let vlens = place.vlens(&args.vlen);
    let usual: &[&str] = if args.compares_builds() { &["auto"] } else { &["scalar", "auto"] };
    let wanted = wanted(&args.caps(usual), runner, &cases, vlens.first().copied().unwrap_or(0))?;
    plan::of(args, cases, wanted, vlens)
}
