//! `capvec kat`: known answers.

use crate::cmd::flags::{Format, once, terminal_width, vlen};
use crate::cmd::place::{Place, wanted};
use crate::cmd::setup::{SYSROOT, TOOL, open_store, runner, spinner};
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result};
use capvec_bench::capset;
use capvec_bench::kat::{self, Again, Plan, Vectors};
use capvec_bench::run::{Program, Runner};
use capvec_bench::sweep::{Identity, Store};
use capvec_bench::target::Choice;
use capvec_guest::Subject;
use capvec_record::kat::Record;
use capvec_record::shell::word;
use capvec_record::whole_file;
use capvec_sim::hart::Agnostic;
use capvec_timing::Core;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Check known answers of stock OpenSSL on every capability set
///
/// Vectors of the standards, of Wycheproof, and of every message length, in many forms: unaligned, in place, at the
/// end of mapped memory, in pieces; wrong tags and bad paddings must be refused. What the library gives must also be
/// what it gives on the scalar path. The vectors are those of vectors/, which are built in.
#[derive(clap::Args)]
#[command(
    after_help = "Capability sets are those of `capvec bench`; scalar always runs, to compare with.\n\
    With --out DIR an interrupted run goes on where it was when the same command is given again.\n\n\
    Exit status: 0 all is right, 1 something is not, 2 usage.\n\n\
    Examples:\n  \
    capvec kat\n  \
    capvec kat --algorithms aes-128-gcm,sha256 --caps all-subsets\n  \
    capvec kat --algorithms symmetric --caps full --vlen 128,256,512,1024\n  \
    capvec kat --target native --algorithms symmetric\n  \
    capvec kat --target qemu:aarch64 --algorithms aes-128-gcm,sha256\n  \
    capvec kat --vectors my/vectors --caps auto --format json"
)]
pub struct Args {
    /// Where code runs: sim, native (this machine), qemu:ARCH, ssh:HOST (docs/targets.md)
    #[arg(long, default_value = "sim")]
    target: Choice,
    /// Library: openssl, or openssl:NAME of `capvec build`; in the simulator also capvec, the project's own, and openssl+capvec,
    /// stock OpenSSL with that as its provider
    #[arg(long, default_value = "openssl")]
    subject: String,
    /// Core model of the simulator, for its ISA and VLEN: a name of `capvec cores list`, or a file [default: karu64]
    #[arg(long)]
    core: Option<String>,
    /// Vector register lengths in bits, of sim and qemu:riscv64 [default: the core's own; of qemu 256]
    #[arg(long, value_delimiter = ',', value_parser = vlen)]
    vlen: Vec<u32>,
    /// Algorithms: all, symmetric, pkey, families (of these what the library has), or names
    #[arg(long, visible_alias = "cases", value_delimiter = ',', default_value = "all")]
    algorithms: Vec<String>,
    /// Capability sets
    #[arg(long, value_delimiter = ',', default_value = "scalar,auto,full,dispatch")]
    caps: Vec<String>,
    /// What agnostic elements become, in the simulator [default: both]
    #[arg(long, value_enum)]
    agnostic: Option<Policy>,
    /// Directory of vectors instead of those built in
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Only this vector, as failures name it
    #[arg(long, value_name = "FILE:ID")]
    vector: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Also write kat.csv, kat.json and kat.md there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Processor that QEMU emulates, as its -cpu: cortex-a76 [default: the largest that it has]
    #[arg(long, value_name = "CPU")]
    qemu_cpu: Option<String>,
    /// Sysroot that the library comes from, by name, of sim and qemu [default: trixie-riscv64, trixie-ARCH]
    #[arg(long)]
    sysroot: Option<String>,
    /// No progress
    #[arg(short, long)]
    quiet: bool,
}

/// The core unless another is named.
const CORE: &str = "karu64";

#[derive(Clone, Copy, ValueEnum)]
enum Policy {
    Undisturbed,
    Ones,
    Both,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let place = place(&args);
    place.refuse(!args.vlen.is_empty(), args.core.is_some())?;
    let dir = args.vectors.as_deref();
    let subject = place.library(&args.subject)?.subject;
    let mut vectors = Vectors::load(&args.algorithms, dir, subject).map_err(usage)?;
    if let Some(name) = &args.vector {
        vectors.keep(name).map_err(usage)?;
    }
    if vectors.vectors.is_empty() {
        let flag = if args.vectors.is_some() { "--vectors" } else { "--algorithms" };
        return Err(Usage(format!("{flag}: there are no vectors of these algorithms")).into());
    }
    if let Some(dir) = &args.out {
        whole_file::prepare(dir)?;
    }
    let quiet = args.quiet;
    let (runner, plan) = match args.target {
        Choice::Sim => simulated(&args, vectors, quiet)?,
        _ => elsewhere(&args, &place, vectors, quiet)?,
    };
    for warning in plan.wanted.iter().flat_map(|w| &w.capset.warnings) {
        say!("warning: {warning}");
    }
    let store = match &args.out {
        Some(dir) => Some(open_store(dir, &identity(&runner, &plan)?)?),
        None => None,
    };
    let record = check(&runner, &plan, store.as_ref(), quiet)?;
    let json = serde_json::to_string_pretty(&record)? + "\n";
    if let Some(dir) = &args.out {
        whole_file::write(&dir.join("kat.csv"), &record.csv())?;
        whole_file::write(&dir.join("kat.json"), &json)?;
        whole_file::write(&dir.join("kat.md"), &record.markdown())?;
    }
    store.map_or(Ok(()), Store::finish)?;
    let text = match args.format {
        Format::Table => record.text(terminal_width()),
        Format::Csv => record.csv(),
        Format::Json => json,
        Format::Md => record.markdown(),
    };
    crate::cmd::print(&text)?;
    if !matches!(args.format, Format::Table) {
        let _ = std::io::stderr().lock().write_all(record.failures().as_bytes());
    }
    Ok(if record.good() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn identity(runner: &Runner, plan: &Plan) -> Result<Identity> {
    let algorithms = plan.vectors.algorithms.iter().map(|a| a.id.clone()).collect();
    runner.identity(TOOL, algorithms, Vec::new(), plan.id())
}

fn check(runner: &Runner, plan: &Plan, store: Option<&Store>, quiet: bool) -> Result<Record> {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(plan.len() as u64) };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} vectors {elapsed}")
        .context("the template is fixed")?;
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    let configured = kat::run(runner, plan, store, &|n| bar.inc(n as u64))?;
    bar.finish_and_clear();
    kat::record(TOOL, plan, &configured, runner)
}

fn place(args: &Args) -> Place<'_> {
    Place {
        target: &args.target,
        sysroot: args.sysroot.as_deref(),
        qemu_cpu: args.qemu_cpu.as_deref(),
    }
}

/// The sets that were asked for, behind what others are compared with.
fn names(args: &Args) -> Vec<String> {
    std::iter::once("scalar".to_string()).chain(args.caps.iter().cloned()).collect()
}

fn simulated(args: &Args, vectors: Vectors, quiet: bool) -> Result<(Runner, Plan)> {
    let core = Core::load(args.core.as_deref().unwrap_or(CORE)).map_err(usage)?;
    let wanted = capset::expand(&names(args), &vectors.algorithms, &core.isa).map_err(usage)?;
    let vlens = if args.vlen.is_empty() { vec![core.vlen] } else { args.vlen.clone() };
    let agnostic = match args.agnostic.unwrap_or(Policy::Both) {
        Policy::Undisturbed => vec![Agnostic::Undisturbed],
        Policy::Ones => vec![Agnostic::Ones],
        Policy::Both => vec![Agnostic::Undisturbed, Agnostic::Ones],
    };
    let plan = Plan { vectors, wanted, vlens: once(vlens), agnostic, again: again(args) };
    let place = place(args);
    let library = place.library(&args.subject)?;
    Ok((runner(&place, &library, core, &[Program::Check], quiet)?, plan))
}

/// On another target its processor decides what agnostic elements become.
fn elsewhere(args: &Args, place: &Place, vectors: Vectors, quiet: bool) -> Result<(Runner, Plan)> {
    if args.agnostic.is_some() {
        let what = "--agnostic: only with --target sim, where it can be chosen; leave it out";
        return Err(Usage(what.into()).into());
    }
    let library = place.library(&args.subject)?;
    let bar = spinner(quiet);
    let told = &mut |what: &str| bar.set_message(what.to_string());
    // The one that measures is asked what the library detects.
    let runner = place.with(&[Program::Measure, Program::Check], &library, told)?;
    let vlens = once(place.vlens(&args.vlen));
    let vlen = vlens.first().copied().unwrap_or(0);
    let wanted = wanted(&names(args), &runner, &vectors.algorithms, vlen)?;
    bar.finish_and_clear();
    Ok((runner, Plan { vectors, wanted, vlens, agnostic: Vec::new(), again: again(args) }))
}

/// Flags that a command needs to show the same.
fn again(args: &Args) -> Again {
    let flag = |name: &str, value: &str, default: &str| match value {
        v if v == default => String::new(),
        v => format!(" {name} {}", word(v)),
    };
    let subject = flag("--subject", &args.subject, Subject::default().name());
    let core = flag("--core", args.core.as_deref().unwrap_or(CORE), CORE);
    let target = flag("--target", &args.target.to_string(), "sim");
    let cpu = flag("--qemu-cpu", args.qemu_cpu.as_deref().unwrap_or_default(), "");
    let vectors = args.vectors.as_ref().map(|d| d.to_string_lossy().into_owned());
    let sysroot = args.sysroot.as_deref().unwrap_or(SYSROOT);
    Again {
        common: core + &flag("--sysroot", sysroot, SYSROOT),
        vectors: target
            + &cpu
            + &subject
            + &flag("--vectors", vectors.as_deref().unwrap_or_default(), ""),
        elsewhere: args.target != Choice::Sim,
    }
}
