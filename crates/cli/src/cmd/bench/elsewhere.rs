//! `capvec bench` on targets that are no simulator.

use super::{Args, caps, cases, gate, identity, measure, once, open_store, programs, sizes};
use crate::cmd::place::{Library, Place, spinner, wanted};
use crate::cmd::{Usage, say};
use anyhow::Result;
use capvec_bench::case::Case;
use capvec_bench::output;
use capvec_bench::record::Record;
use capvec_bench::run::Runner;
use capvec_bench::sweep::{Plan, Store};

/// Measures every subject on the target; `None` if nothing but the set-up was asked for.
pub fn run(args: &Args, quiet: bool) -> Result<Option<Record>> {
    let place = place(args);
    if args.speed || args.mix {
        let what = "--speed, --mix: only with --target sim, whose clock and instructions they show";
        return Err(Usage(what.into()).into());
    }
    let names = once(args.subject.clone());
    let libraries = names.iter().map(|n| place.library(n)).collect::<Result<Vec<_>>>()?;
    let cases = cases(args)?;
    args.out.as_ref().map_or(Ok(()), |dir| output::prepare(dir))?;
    let mut all: Option<Record> = None;
    for library in &libraries {
        let bar = spinner(quiet);
        let told = &mut |what: &str| bar.set_message(what.to_string());
        let runner = place.with(programs(args), library, told)?;
        bar.finish_and_clear();
        if args.setup_only {
            continue;
        }
        let plan = plan(args, &place, &runner, cases.clone())?;
        for warning in plan.wanted.iter().flat_map(|w| &w.capset.warnings) {
            say!("warning: {warning}");
        }
        let record = one(args, &runner, &plan, library, libraries.len(), quiet)?;
        match &mut all {
            None => all = Some(record),
            Some(all) => join(all, record),
        }
    }
    Ok(all)
}

/// Where code runs, as the flags say.
pub fn place(args: &Args) -> Place<'_> {
    Place {
        target: &args.target,
        sysroot: args.sysroot.as_deref(),
        qemu_cpu: args.qemu_cpu.as_deref(),
    }
}

fn one(
    args: &Args,
    runner: &Runner,
    plan: &Plan,
    library: &Library,
    subjects: usize,
    quiet: bool,
) -> Result<Record> {
    let store = match &args.out {
        // What is unfinished of one subject is beside that of another.
        Some(dir) if subjects > 1 => {
            let own = dir.join(library.name.replace(':', "-"));
            output::prepare(&own)?;
            Some((open_store(&own, &identity(runner, plan)?)?, Some(own)))
        }
        Some(dir) => Some((open_store(dir, &identity(runner, plan)?)?, None)),
        None => None,
    };
    let mut record = measure(runner, plan, store.as_ref().map(|(s, _)| s), args, quiet)?;
    record.builds.extend(library.build.as_ref().map(|b| b.manifest.clone()));
    if let Some((store, own)) = store {
        Store::finish(store)?;
        // Somebody else may keep files there.
        own.map_or(Ok(()), |own| std::fs::remove_dir(own).or(Ok::<(), std::io::Error>(())))?;
    }
    Ok(record)
}

/// Adds the figures of another subject on the same target.
pub fn join(all: &mut Record, other: Record) {
    all.rows.extend(other.rows);
    all.configurations.extend(other.configurations);
    all.fits.extend(other.fits);
    all.builds.extend(other.builds);
    all.target.warnings.extend(other.target.warnings);
    all.driver = format!("{} {}", all.driver, other.driver).trim().into();
    if all.self_check == "exact" {
        all.self_check = other.self_check;
    }
    if all.target.counter_check == "exact" {
        all.target.counter_check = other.target.counter_check;
    }
}

fn plan(args: &Args, place: &Place, runner: &Runner, cases: Vec<Case>) -> Result<Plan> {
    let vlens = place.vlens(&args.vlen);
    let usual: &[&str] = if args.subject.len() > 1 { &["auto"] } else { &["scalar", "auto"] };
    let names = caps(args, usual);
    let wanted = wanted(&names, runner, &cases, vlens.first().copied().unwrap_or(0))?;
    let gate = gate(args, &cases)?;
    Ok(Plan { cases, wanted, vlens: once(vlens), bytes: sizes(args)?, gate, mix: false })
}
