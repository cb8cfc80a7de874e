//! The walk of `capvec bench`: every library on every target; a core model is a target of its own.

use super::args::Args;
use super::gates;
use super::plan::{self, warn};
use super::progress::Bar;
use crate::cmd::setup::TOOL;
use crate::cmd::{Usage, core_choice, setup};
use anyhow::Result;
use capvec_bench::all_sweeps::{Options, Recorded, Recording};
use capvec_bench::capset;
use capvec_bench::case::{Case, has_connections};
use capvec_bench::processor::Processor;
use capvec_bench::replay::{Family, Member};
use capvec_bench::run::Runner;
use capvec_bench::sweep::Plan;
use capvec_guest::LibraryKind;
use capvec_targets::{Feature, Library, Target, TargetName};
use capvec_timing::Core;
use capvec_util::atomic_file;

/// A target, with the plan for it if that is known before the target is opened.
struct Planned {
    target: Target,
    plan: Option<Plan>,
}

/// Measures every library; `None` if only the set-up was asked for. [`prepare`] comes first, once in a process. `member` is the
/// place of the only core in a family.
pub fn run(args: &Args, quiet: bool, member: Option<Member>) -> Result<Option<Recorded>> {
    let targets = targets(args)?;
    let libraries = libraries(args, &targets)?;
    let cases = plan::cases(args)?;
    libraries.iter().try_for_each(|l| has_some(l, &cases))?;
    let connections = [(has_connections(&cases), Feature::Connections)];
    args.subjects().iter().try_for_each(|s| args.on.require(s, &connections))?;
    let gate = |kind| gates::of(args, &cases, kind);
    let known = |target: Target| {
        let plan = Processor::of(&target)
            .map(|p| plan::of(args, &target, &p, cases.clone(), gate(LibraryKind::OpenSsl)?));
        Ok(Planned { plan: plan.transpose()?, target })
    };
    let planned = targets.into_iter().map(known).collect::<Result<Vec<Planned>>>()?;
    args.out.as_ref().map_or(Ok(()), |dir| atomic_file::prepare(dir))?;
    let mut recording = Recording::new(Options {
        tool: TOOL,
        out: args.out.clone(),
        libraries: libraries.len(),
        targets: planned.len(),
        explain: args.explain || capset::explains(&args.caps),
        speed: args.speed,
    });
    let mut warned = Vec::new();
    let members = members(&planned, member.as_ref());
    let targets = || planned.iter().zip(&members);
    for (library, (p, member)) in libraries.iter().flat_map(|l| targets().map(move |t| (l, t))) {
        let runner = setup::open(&p.target, library, &args.programs(&cases), quiet)?;
        let runner = runner.in_family(member.clone());
        if args.setup_only {
            continue;
        }
        let own;
        let plan = match &p.plan {
            Some(plan) if library.kind.packaged().is_none() => plan,
            _ => {
                own = own_plan(args, &p.target, library, &runner, &cases)?;
                &own
            }
        };
        warn(plan, runner.has_libcapvec(), &mut warned);
        recording.add(&runner, library, plan, &Bar::new(quiet)?)?;
    }
    recording.finish()
}

/// By target: the place of its core in a family.
fn members(planned: &[Planned], given: Option<&Member>) -> Vec<Option<Member>> {
    let cores: Vec<&Core> = planned.iter().filter_map(|p| p.target.core.as_ref()).collect();
    let mut members = match given {
        // Only the core itself may take what was replayed on it.
        Some(member) => cores.iter().map(|c| Some(member.clone()).filter(|m| m.is(c))).collect(),
        None => Family::of(&cores),
    };
    members.resize(planned.len(), None);
    members
}

/// Refuses what the target cannot do with one of the subjects, and registers the instructions of --isa-file, which stay until the process
/// ends.
pub fn prepare(args: &Args) -> Result<()> {
    let subjects = args.subjects();
    let asked = [
        (!args.core.is_empty(), Feature::Core),
        (!args.set.is_empty(), Feature::Set),
        (args.misaligned.is_some(), Feature::Misaligned),
        (args.isa_files.is_some(), Feature::IsaFile),
        (!args.vlen.is_empty(), Feature::Vlen),
        (args.speed, Feature::Speed),
        (args.layouts.is_some(), Feature::Layouts),
        (args.mix, Feature::Mix),
        (args.profile, Feature::Profile),
        (args.explain, Feature::Explain),
    ];
    subjects.iter().try_for_each(|s| args.on.require(s, &asked))?;
    args.isa_files.register()?;
    if args.layouts.is_some() && (args.mix || args.profile || args.speed) {
        return Err(Usage(
            "--layouts: --mix, --profile and --speed describe a single layout; leave out either"
                .into(),
        )
        .into());
    }
    if subjects.len() > 1 && (args.speed || args.explain) {
        return Err(Usage("--speed, --explain: only with one --subject".into()).into());
    }
    Ok(())
}

/// The targets that the flags name: in the simulator, one for each core model.
fn targets(args: &Args) -> Result<Vec<Target>> {
    if args.on.target != TargetName::Sim {
        return Ok(vec![args.on.chosen(None)]);
    }
    Ok(cores(args)?.into_iter().map(|core| args.on.chosen(Some(core))).collect())
}

/// The core models that the flags name.
pub fn cores(args: &Args) -> Result<Vec<Core>> {
    core_choice::all(&args.cores(), &args.misaligned.and(&args.set))
}

/// The libraries of `--subject`, without duplicates: a build may be named with its architecture or without.
fn libraries(args: &Args, targets: &[Target]) -> Result<Vec<Library>> {
    let mut all: Vec<Library> = Vec::new();
    // Targets differ in their cores only, so the libraries are the same on all.
    let Some(target) = targets.first() else { return Ok(all) };
    for name in args.subjects() {
        let library = target.find(&name)?;
        if !all.iter().any(|l| l.name == library.name) {
            all.push(library);
        }
    }
    Ok(all)
}

/// Refuses the cases if a library has none of them.
fn has_some(library: &Library, cases: &[Case]) -> Result<(), Usage> {
    if cases.iter().any(|c| c.is_in_packaged(library.kind)) {
        return Ok(());
    }
    let names: Vec<&str> = cases.iter().map(|c| c.id.as_str()).collect();
    let (library, names) = (&library.name, names.join(", "));
    Err(Usage(format!(
        "--cases: {library} offers none of these: {names}; choose others, or leave out --subject {library}"
    )))
}

/// The plan for a packaged library, which may lack some of the cases, or for a target on which the plan depends on what the
/// library detects.
fn own_plan(
    args: &Args,
    target: &Target,
    library: &Library,
    runner: &Runner,
    cases: &[Case],
) -> Result<Plan> {
    let processor = match Processor::of(target) {
        Some(processor) => processor,
        None => {
            let vlens = target.vlens(&args.vlen);
            Processor::ask(runner, vlens.first().copied().unwrap_or(0))?
        }
    };
    let (own, others): (Vec<Case>, Vec<Case>) =
        cases.iter().cloned().partition(|c| c.is_in_packaged(library.kind));
    let not_offered = others.into_iter().map(|c| c.id).collect();
    let gate = gates::of(args, &own, library.kind)?;
    Ok(Plan { not_offered, ..plan::of(args, target, &processor, own, gate)? })
}
