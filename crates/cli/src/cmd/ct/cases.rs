//! `capvec ct --cases`: the cases of the benchmark with their secrets marked, in every configuration.

use super::{Args, Format, print_sarif};
use crate::cmd::flags::{offered, once};
use crate::cmd::progress::bar;
use crate::cmd::setup::open;
use crate::cmd::{Usage, isa_files, print, print_as_it_is, say, usage};
use anyhow::{Context, Result};
use capvec_bench::capset::CapSet;
use capvec_bench::case;
use capvec_bench::constant_time::{self, Checked, Plan};
use capvec_bench::processor::Processor;
use capvec_ct::{Document, Suppressions, Timing, merged};
use capvec_guest::Program;
use capvec_sim::hart::Agnostic;
use capvec_targets::{CORE, Target, TargetName};
use std::process::ExitCode;

/// What is said if not every case was checked.
const INCOMPLETE: &str = "some cases were not checked";

pub fn run(args: &Args, suppressions: &Suppressions) -> Result<ExitCode> {
    if args.timing.is_some() && args.format == Format::Sarif {
        return Err(Usage("--timing: SARIF has no times; give --format json".into()).into());
    }
    CapSet::refuse_blank(&args.caps).map_err(usage)?;
    let cases = case::select(&args.cases).map_err(usage)?;
    offered("--cases", &cases, &args.subject)?;
    let core = isa_files::core(args.core.as_deref().unwrap_or(CORE))?;
    let sysroot = Some(args.launch.sysroot.clone());
    let target = Target { core: Some(core), sysroot, ..Target::new(TargetName::Sim) };
    let library = target.find(&args.subject)?;
    let processor = Processor::of(&target).context("a simulator has a core")?;
    let wanted = processor.expand(&args.caps, &cases).map_err(usage)?.wanted;
    let vlens = once(target.vlens(&args.vlen));
    let agnostic = vec![Agnostic::Undisturbed, Agnostic::Ones];
    let plan = Plan { cases, wanted, vlens, agnostic };
    let runner = open(&target, &library, &[Program::Secrets], args.quiet)?;
    let bar = bar(args.quiet, plan.len(), "checks")?;
    if let Some(count) = args.timing {
        let all = constant_time::time(&runner, &plan, count as usize, &|| bar.inc(1))?;
        bar.finish_and_clear();
        let document = constant_time::timing_document(&plan, &args.subject.to_string(), all);
        return timings(args, &document);
    }
    let all = constant_time::run(&runner, &plan, &|| bar.inc(1))?;
    bar.finish_and_clear();
    report(args, &plan, all, suppressions)
}

fn timings(args: &Args, document: &Document) -> Result<ExitCode> {
    match args.format {
        Format::Table => print(&constant_time::timing_text(document))?,
        _ => print_as_it_is(&document.json()?)?,
    }
    let leaks = document.rows.iter().flat_map(|r| &r.timings).any(Timing::leaks);
    Ok(code(leaks, document.rows.iter().all(|r| r.not_checked.is_none())))
}

fn code(found: bool, complete: bool) -> ExitCode {
    match (found, complete) {
        (true, _) => ExitCode::from(1),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => {
            say!("{INCOMPLETE}");
            ExitCode::from(3)
        }
    }
}

fn report(
    args: &Args,
    plan: &Plan,
    mut all: Vec<Checked>,
    suppressions: &Suppressions,
) -> Result<ExitCode> {
    let mut report = merged(all.iter().filter_map(|c| c.outcome.as_ref().ok()));
    report.suppress(suppressions);
    for own in all.iter_mut().filter_map(|c| c.outcome.as_mut().ok()) {
        own.suppress(suppressions);
    }
    let complete = all.iter().all(|c| c.outcome.is_ok());
    let document = constant_time::document(plan, &args.subject.to_string(), &all);
    match args.format {
        Format::Table => print(&constant_time::text(&document))?,
        Format::Json => print_as_it_is(&document.json()?)?,
        Format::Sarif => print_sarif(&report, (!complete).then(|| INCOMPLETE.into()))?,
    }
    for line in &report.unused_suppressions {
        say!("the suppression in line {line} applies to no finding; remove it");
    }
    Ok(code(!report.findings.is_empty(), complete))
}
