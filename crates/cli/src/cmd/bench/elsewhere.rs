//! `capvec bench` on targets that are no simulator.

use super::{Args, caps, cases, gate, identity, measure, once, open_store, programs};
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result, bail};
use capvec_bench::builds::{self, Build};
use capvec_bench::capset::{self, CapSet, Override, Wanted, words};
use capvec_bench::jobs::{Job, Outcome};
use capvec_bench::probe::Probe;
use capvec_bench::record::Record;
use capvec_bench::run::{Configuration, Runner};
use capvec_bench::sweep::{Plan, Store};
use capvec_bench::target::{Arch, Choice, Native, Qemu, Ssh};
use capvec_bench::{case, output};
use capvec_isa::{Ext, Isa};
use indicatif::ProgressBar;
use std::time::Duration;

/// A library to measure.
struct Subject {
    /// As the user calls it.
    name: String,
    /// One that was built here, or the target's own.
    build: Option<Build>,
}

/// Measures every subject on the target; `None` if nothing but the set-up was asked for.
pub fn run(args: &Args, quiet: bool) -> Result<Option<Record>> {
    refuse(args)?;
    let subjects = subjects(args)?;
    let cases = cases(args)?;
    args.out.as_ref().map_or(Ok(()), |dir| output::prepare(dir))?;
    let mut all: Option<Record> = None;
    for subject in &subjects {
        let spinner = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        spinner.enable_steady_tick(Duration::from_millis(100));
        let runner = runner(args, subject, &mut |what| spinner.set_message(what.to_string()))?;
        spinner.finish_and_clear();
        if args.setup_only {
            continue;
        }
        let plan = plan(args, &runner, cases.clone(), subjects.len())?;
        for warning in plan.wanted.iter().flat_map(|w| &w.capset.warnings) {
            say!("warning: {warning}");
        }
        let record = one(args, &runner, &plan, subject, subjects.len(), quiet)?;
        match &mut all {
            None => all = Some(record),
            Some(all) => join(all, record),
        }
    }
    Ok(all)
}

fn one(
    args: &Args,
    runner: &Runner,
    plan: &Plan,
    subject: &Subject,
    subjects: usize,
    quiet: bool,
) -> Result<Record> {
    let store = match &args.out {
        // What is unfinished of one subject is beside that of another.
        Some(dir) if subjects > 1 => {
            let own = dir.join(subject.name.replace(':', "-"));
            output::prepare(&own)?;
            Some((open_store(&own, &identity(runner, plan)?)?, Some(own)))
        }
        Some(dir) => Some((open_store(dir, &identity(runner, plan)?)?, None)),
        None => None,
    };
    let mut record = measure(runner, plan, store.as_ref().map(|(s, _)| s), args, quiet)?;
    record.builds.extend(subject.build.as_ref().map(|b| b.manifest.clone()));
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

/// Flags that only mean something elsewhere.
fn refuse(args: &Args) -> Result<()> {
    let vlen = !args.vlen.is_empty() && args.target != Choice::Qemu(Arch::Riscv64);
    let own = !matches!(args.target, Choice::Qemu(_));
    let checks = [
        (args.core.is_some(), "--core: a core model is for --target sim; leave it out"),
        (args.qemu_cpu.is_some() && own, "--qemu-cpu: only with --target qemu:ARCH"),
        (args.speed, "--speed: only with --target sim, whose clock it shows"),
        (vlen, "--vlen: only with --target sim or qemu:riscv64; this target's cannot be chosen"),
        (
            own && args.sysroot.is_some(),
            "--sysroot: only with --target sim or qemu:ARCH; this target has its own library",
        ),
    ];
    match checks.iter().find(|(wrong, _)| *wrong) {
        Some((_, what)) => Err(Usage((*what).into()).into()),
        None => Ok(()),
    }
}

fn subjects(args: &Args) -> Result<Vec<Subject>> {
    let store = capvec_sysroot::Store::from_env()?;
    let subject = |name: String| {
        let build = match name.split_once(':') {
            None if name == "openssl" => None,
            Some(("openssl", build)) => Some(builds::get(&store, build).map_err(usage)?),
            _ => {
                let what = format!(
                    "--subject {name}: elsewhere than in the simulator openssl or openssl:BUILD"
                );
                return Err(Usage(what).into());
            }
        };
        Ok(Subject { name, build })
    };
    once(args.subject.clone()).into_iter().map(subject).collect()
}

fn runner(args: &Args, subject: &Subject, told: &mut dyn FnMut(&str)) -> Result<Runner> {
    let (programs, build) = (programs(args), subject.build.as_ref());
    let dir = build.map(|b| b.dir.clone());
    let runner = match &args.target {
        Choice::Native => Runner::at(Native::new(programs, dir, told)?),
        Choice::Qemu(arch) => {
            let usual = format!("trixie-{}", arch.debian());
            let sysroot = args.sysroot.as_deref().unwrap_or(&usual);
            Runner::at(Qemu::new(*arch, sysroot, args.qemu_cpu.clone(), programs, dir, told)?)
        }
        Choice::Ssh(host) => Runner::at(Ssh::new(host, programs, dir, told)?),
        Choice::Sim => bail!("--target sim has a set-up of its own"),
    };
    let arch = runner.target().arch().name();
    if let Some(b) = build.filter(|b| b.manifest.architecture != arch) {
        let is = &b.manifest.architecture;
        return Err(Usage(format!(
            "--subject {}: it is built for {is}, and the target is {arch}",
            subject.name
        ))
        .into());
    }
    Ok(runner.called(&subject.name))
}

fn plan(args: &Args, runner: &Runner, cases: Vec<case::Case>, subjects: usize) -> Result<Plan> {
    let vlens = match (&args.target, args.vlen.is_empty()) {
        (_, false) => args.vlen.clone(),
        (Choice::Qemu(Arch::Riscv64), true) => vec![256],
        _ => vec![0],
    };
    let usual: &[&str] = if subjects > 1 { &["auto"] } else { &["scalar", "auto"] };
    let names = caps(args, usual);
    let wanted = wanted(&names, runner, &cases, vlens.first().copied().unwrap_or(0))?;
    let gate = gate(args, &cases)?;
    Ok(Plan { cases, wanted, vlens: once(vlens), bytes: once(args.bytes.clone()), gate })
}

/// The sets, of what the library finds on this target.
fn wanted(
    names: &[String],
    runner: &Runner,
    cases: &[case::Case],
    vlen: u32,
) -> Result<Vec<Wanted>> {
    let probe = probe(runner, vlen).context("asking the library what it detects")?;
    let Some(o) = Override::of(runner.target().arch())? else {
        let isa = isa(&probe)?;
        return capset::expand(names, cases, &isa).map_err(usage);
    };
    // A library that was built without assembly says nothing.
    let words = words(probe.settings()).unwrap_or_default();
    o.expand(names, cases, &words).map_err(usage)
}

/// What the kernel there shows: under an emulator, /proc/cpuinfo is the host's and has no ISA string.
fn isa(probe: &Probe) -> Result<Isa> {
    let mut isa: Isa = probe.isa.parse().or_else(|_| "rv64gc".parse())?;
    isa.exts = isa.exts.union(probe.hwprobe_exts());
    if probe.hwcap >> (b'v' - b'a') & 1 != 0 {
        isa.exts = isa.exts.with(Ext::V);
    }
    isa.exts = isa.exts.closed();
    Ok(isa)
}

/// What the library says of itself when it is told nothing.
fn probe(runner: &Runner, vlen: u32) -> Result<Probe> {
    let capset = CapSet::parse("auto", &"rv64gc".parse()?)?;
    let mut outcomes = runner.run(&Configuration { vlen, capset }, &[vec![Job::Probe]])?;
    match outcomes.pop().transpose()?.as_deref() {
        Some([Outcome::Probe(p)]) => Ok(p.clone()),
        _ => bail!("the driver did not answer the probe"),
    }
}
