//! The plan of `capvec bench`, from its flags.

use super::args::Args;
use crate::cmd::core_choice::SetFlag;
use crate::cmd::flags::{available, once};
use crate::cmd::target::say_beyond;
use crate::cmd::{Usage, core_choice, say, usage};
use anyhow::Result;
use capvec_bench::capset::{self, Wanted};
use capvec_bench::case::{self, Case};
use capvec_bench::processor::Processor;
use capvec_bench::sweep::{Gate, Plan};
use capvec_targets::Target;
use capvec_timing::Core;
use std::sync::Arc;

/// The sets whose cycles the core's model can count, and why others are left out.
///
/// # Errors
/// It can count those of none.
pub fn timed(core: &Core, all: Vec<Wanted>) -> Result<(Vec<Wanted>, Option<String>)> {
    let (wanted, without): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|w| core.can_time(w.capset.exts).is_ok());
    let Some(Err(why)) = without.first().map(|w| core.can_time(w.capset.exts)) else {
        return Ok((wanted, None));
    };
    let names: Vec<&str> = without.iter().map(|w| w.capset.name.as_str()).collect();
    let names = names.join(", ");
    if wanted.is_empty() {
        return Err(Usage(format!("--caps {names}: {why}")).into());
    }
    Ok((wanted, Some(format!("left out: {names}: {why}"))))
}

/// What is measured of a library on a target with this processor; `gate` has the vectors for these cases.
pub fn of(
    args: &Args,
    target: &Target,
    processor: &Processor,
    cases: Vec<Case>,
    gate: Option<Arc<dyn Gate>>,
) -> Result<Plan> {
    let caps = args.caps_or(args.defaults()?.caps);
    let sets = processor.expand(&caps, &cases).map_err(usage)?;
    say_beyond(&sets);
    let (sets, without) = match &target.core {
        Some(core) => timed(core, sets.wanted)?,
        None => (sets.wanted, None),
    };
    if let Some(text) = without {
        say!("{text}");
    }
    let wanted = match &target.core {
        Some(core) if args.explain => {
            let (all, _) = timed(core, capset::explained(sets.clone(), &cases, &core.isa)?)?;
            if !args.quiet {
                say!("{}", cost(core, &cases, &sets, &all));
            }
            all
        }
        _ => sets,
    };
    if wanted.is_empty() {
        return Err(Usage(
            "--caps: no capability set remains for these cases; name one, such as scalar".into(),
        )
        .into());
    }
    let vlens = once(vlens(args, target)?);
    Ok(Plan {
        cases,
        wanted,
        vlens,
        bytes: sizes(args)?,
        gate,
        mix: args.mix,
        functions: args.profile,
        layouts: args.layouts.unwrap_or(0),
        ..Plan::default()
    })
}

/// VLENs: `--vlen`, or `--set vlen`, or the target's own.
fn vlens(args: &Args, target: &Target) -> Result<Vec<u32>> {
    let set = match &target.core {
        Some(core) => set_vlens(core, &args.set, !args.vlen.is_empty())?,
        None => Vec::new(),
    };
    Ok(target.vlens(if set.is_empty() { &args.vlen } else { &set }))
}

/// The VLENs of `--set vlen`; `given` says whether there is `--vlen`.
///
/// # Errors
/// There are both, or a VLEN is none.
pub fn set_vlens(core: &Core, sets: &[SetFlag], given: bool) -> Result<Vec<u32>> {
    let set = core_choice::vlens(core, sets)?;
    if given && !set.is_empty() {
        return Err(Usage("--vlen and --set vlen mean the same; give one of them".into()).into());
    }
    Ok(set)
}

/// How much `--explain` measures in addition to the sets of `--caps`.
fn cost(core: &Core, cases: &[Case], asked: &[Wanted], all: &[Wanted]) -> String {
    let runs = |sets: &[Wanted]| sets.iter().map(|w| w.cases.len()).sum::<usize>();
    let of = |sets: &[Wanted], i: usize| sets.iter().filter(|w| w.cases.contains(&i)).count();
    let more = cases.iter().enumerate().map(|(i, c)| {
        let (all, asked) = (of(all, i), of(asked, i));
        format!("{} {}", c.id, all - asked)
    });
    format!(
        "--explain on {}: {} capability sets are measured in addition to the {} of --caps, to separate the effects of extensions \
         ({}); {} runs of a case instead of {}",
        core.identity.label,
        all.len() - asked.len(),
        asked.len(),
        more.collect::<Vec<_>>().join(", "),
        runs(all),
        runs(asked)
    )
}

/// Prints each warning about a capability set once.
pub fn warn(plan: &Plan, libcapvec: bool, warned: &mut Vec<String>) {
    for warning in plan.wanted.iter().flat_map(|w| w.capset.warnings_for(libcapvec)) {
        if !warned.contains(&warning) {
            say!("warning: {warning}");
            warned.push(warning);
        }
    }
}

/// The sizes that the flags name, or the default ones.
fn sizes(args: &Args) -> Result<Vec<usize>> {
    if args.bytes.is_empty() {
        return Ok(args.defaults()?.bytes);
    }
    Ok(once(args.bytes.clone()))
}

/// The cases that the flags name, or the default ones. Each of them accepts every size.
pub fn cases(args: &Args) -> Result<Vec<Case>> {
    let usual: Vec<String> = args.defaults()?.cases.iter().map(|s| s.to_string()).collect();
    let names = if args.cases.is_empty() { &usual } else { &args.cases };
    let cases = case::select(names).map_err(usage)?;
    available("--cases", &cases, &args.subjects())?;
    for bytes in &args.bytes {
        if let Some((case, what)) = cases.iter().find_map(|c| Some((c, c.takes(*bytes).err()?))) {
            return Err(Usage(format!(
                "--bytes {bytes}: {} ({}) takes {what} bytes; leave it out, or choose other sizes",
                case.id, case.title
            ))
            .into());
        }
    }
    Ok(cases)
}
