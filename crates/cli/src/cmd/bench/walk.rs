//! The walk of `capvec bench`: every library, on every core where there are core models.

use super::args::Args;
use super::plan::{self, warn};
use super::taken::{Taken, take};
use crate::cmd::place::{Library, Place, wanted};
use crate::cmd::setup::{self, spinner};
use crate::cmd::{Usage, model};
use anyhow::Result;
use capvec_bench::case::Case;
use capvec_bench::run::Runner;
use capvec_bench::sweep::Plan;
use capvec_bench::target::Choice;
use capvec_record::whole_file;
use capvec_timing::Core;

/// What a library is measured on.
enum On {
    /// A core model, with what is measured there.
    Core(Box<Core>, Plan),
    /// Another target, where what is measured depends on what the library detects.
    Target(Vec<Case>),
}

/// Measures every library; `None` if nothing but the set-up was asked for.
pub fn run(args: &Args, quiet: bool) -> Result<Option<Taken>> {
    let place = args.place();
    let sim = args.target == Choice::Sim;
    if !sim && (args.speed || args.mix || args.explain) {
        let what = "--speed, --mix, --explain: only with --target sim, whose clock and instructions they show";
        return Err(Usage(what.into()).into());
    }
    let libraries = place.libraries(&args.subjects())?;
    if libraries.len() > 1 && (args.speed || args.explain) {
        return Err(Usage("--speed, --explain: only with one --subject".into()).into());
    }
    let all_on = if sim { cores(args)? } else { vec![On::Target(plan::cases(args)?)] };
    args.out.as_ref().map_or(Ok(()), |dir| whole_file::prepare(dir))?;
    let mut all: Option<Taken> = None;
    for (library, on) in libraries.iter().flat_map(|l| all_on.iter().map(move |on| (l, on))) {
        let runner = runner(args, &place, library, on, quiet)?;
        if args.setup_only {
            continue;
        }
        let made;
        let plan = match on {
            On::Core(_, plan) => plan,
            On::Target(cases) => {
                made = planned(args, &place, &runner, cases.clone())?;
                &made
            }
        };
        // On core models every library gets the same sets.
        if all.is_none() || !sim {
            warn(plan);
        }
        let name = name(library, on, all_on.len());
        let several = libraries.len() * all_on.len() > 1;
        let mut taken = take(args, &runner, plan, several.then_some(name.as_str()), quiet)?;
        taken.record.builds.extend(library.build.as_ref().map(|b| b.manifest.clone()));
        all = Some(match all {
            Some(all) => all.join(taken),
            None => taken,
        });
    }
    Ok(all)
}

fn cores(args: &Args) -> Result<Vec<On>> {
    let cores = model::all(&args.cores(), &args.set)?.into_iter();
    let on = cores.map(|core| {
        let plan = plan::simulated(args, &core)?;
        Ok(On::Core(Box::new(core), plan))
    });
    on.collect()
}

fn runner(args: &Args, place: &Place, library: &Library, on: &On, quiet: bool) -> Result<Runner> {
    match on {
        On::Core(core, _) => {
            let core = core.as_ref().clone();
            setup::runner(place, library, core, &args.programs(), quiet)
        }
        On::Target(_) => {
            let bar = spinner(quiet);
            let told = &mut |what: &str| bar.set_message(what.to_string());
            let runner = place.with(&args.programs(), library, told)?;
            bar.finish_and_clear();
            Ok(runner)
        }
    }
}

/// Under which name what is unfinished of one of several is kept.
fn name(library: &Library, on: &On, cores: usize) -> String {
    match on {
        On::Core(core, _) if cores > 1 => {
            let digest = core.identity.digest.get(..16).unwrap_or_default();
            format!("{}-{digest}", library.name)
        }
        _ => library.name.clone(),
    }
}

fn planned(args: &Args, place: &Place, runner: &Runner, cases: Vec<Case>) -> Result<Plan> {
    let vlens = place.vlens(&args.vlen);
    let usual: &[&str] = if args.compares_builds() { &["auto"] } else { &["scalar", "auto"] };
    let wanted = wanted(&args.caps(usual), runner, &cases, vlens.first().copied().unwrap_or(0))?;
    plan::of(args, cases, wanted, vlens)
}
