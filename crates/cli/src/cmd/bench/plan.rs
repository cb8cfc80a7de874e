//! What `capvec bench` is to measure, of its flags.

use super::args::{Args, Kat};
use crate::cmd::flags::once;
use crate::cmd::{Usage, model, say, usage};
use anyhow::Result;
use capvec_bench::capset::{self, Wanted};
use capvec_bench::case::{self, Case};
use capvec_bench::kat::Gate;
use capvec_bench::sweep::Plan;
use capvec_record::published;
use capvec_timing::Core;

/// On a modelled core.
pub fn simulated(args: &Args, core: &Core) -> Result<Plan> {
    let cases = cases(args)?;
    let caps = args.caps(&["scalar", "published", "auto", "full"]);
    let wanted = capset::expand(&caps, &cases, &core.isa).map_err(usage)?;
    let wanted = match args.explain {
        true => {
            let all = capset::explained(wanted.clone(), &cases, &core.isa)?;
            if !args.quiet {
                say!("{}", cost(core, &cases, &wanted, &all));
            }
            all
        }
        false => wanted,
    };
    if wanted.is_empty() {
        return Err(Usage("--caps: no capability set".into()).into());
    }
    let set = model::vlens(core, &args.set)?;
    let vlens = match (args.vlen.is_empty(), set.is_empty()) {
        (true, true) => vec![core.vlen],
        (true, false) => set,
        (false, true) => args.vlen.clone(),
        (false, false) => {
            return Err(
                Usage("--vlen, --set vlen: they are the same; give one of them".into()).into()
            );
        }
    };
    of(args, cases, wanted, vlens)
}

/// What `--explain` measures besides what was asked for.
fn cost(core: &Core, cases: &[Case], asked: &[Wanted], all: &[Wanted]) -> String {
    let runs = |sets: &[Wanted]| sets.iter().map(|w| w.cases.len()).sum::<usize>();
    let of = |sets: &[Wanted], i: usize| sets.iter().filter(|w| w.cases.contains(&i)).count();
    let more = cases.iter().enumerate().map(|(i, c)| {
        let (all, asked) = (of(all, i), of(asked, i));
        format!("{} {}", c.id, all - asked)
    });
    format!(
        "--explain, on {}: {} capability sets more than the {} asked for, to tell extensions apart ({}): {} runs of a case \
         instead of {}",
        core.identity.label,
        all.len() - asked.len(),
        asked.len(),
        more.collect::<Vec<_>>().join(", "),
        runs(all),
        runs(asked)
    )
}

/// These sets of these cases.
pub fn of(args: &Args, cases: Vec<Case>, wanted: Vec<Wanted>, vlens: Vec<u32>) -> Result<Plan> {
    let gate = gate(args, &cases)?;
    Ok(Plan { cases, wanted, vlens: once(vlens), bytes: sizes(args)?, gate, mix: args.mix })
}

/// Says what capability sets are to be warned of.
pub fn warn(plan: &Plan) {
    for warning in plan.wanted.iter().flat_map(|w| &w.capset.warnings) {
        say!("warning: {warning}");
    }
}

/// The sizes that were asked for, or the usual ones.
fn sizes(args: &Args) -> Result<Vec<usize>> {
    if !args.bytes.is_empty() {
        return Ok(once(args.bytes.clone()));
    }
    Ok(if args.compares_builds() {
        published::arm64::table()?.sizes
    } else {
        vec![published::speeds::KARU64.bytes]
    })
}

/// The cases that were asked for, or the usual ones, all of which take the sizes.
pub fn cases(args: &Args) -> Result<Vec<Case>> {
    let usual: &[&str] = if args.compares_builds() {
        &[published::arm64::CASE, "published"]
    } else {
        &["published"]
    };
    let usual: Vec<String> = usual.iter().map(|s| s.to_string()).collect();
    let names = if args.cases.is_empty() { &usual } else { &args.cases };
    let cases = case::select(names).map_err(usage)?;
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

fn gate(args: &Args, cases: &[Case]) -> Result<Option<Gate>> {
    Ok(match args.kat {
        Kat::None if args.vectors.is_some() => {
            return Err(Usage("--kat none: --vectors is of no use with it".into()).into());
        }
        Kat::None => None,
        depth => {
            let all = depth == Kat::All;
            let gate = Gate::new(cases, all, args.vectors.as_deref()).map_err(usage)?;
            if let Some(dir) = &args.vectors {
                for case in gate.unchecked().filter_map(|i| cases.get(i)) {
                    say!(
                        "warning: --vectors {}: no vector there is of {}: its figures stand on the case's own answers",
                        dir.display(),
                        case.id
                    );
                }
            }
            Some(gate)
        }
    })
}
