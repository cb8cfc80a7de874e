//! `capvec kat`: known answers.

use crate::cmd::core_choice::{self, CoreName};
use crate::cmd::flags::{
    Format, algorithms, once, only_with, subjects, terminal_width, vlen, vlen_help, with_default,
};
use crate::cmd::isa_files::IsaFiles;
use crate::cmd::misaligned::MisalignedFlag;
use crate::cmd::progress::bar;
use crate::cmd::setup::{TOOL, open, open_checkpoint};
use crate::cmd::target::{TargetFlags, say_beyond};
use crate::cmd::{Usage, say, usage};
use anyhow::Result;
use capvec_bench::capset::CapSet;
use capvec_bench::processor::Processor;
use capvec_bench::resume::{Checkpoint, Identity};
use capvec_bench::run::Runner;
use capvec_guest::Program;
use capvec_kat::{self as kat, Names, Plan, ReproduceFlags, Vectors};
use capvec_record::kat::Record;
use capvec_sim::hart::Agnostic;
use capvec_targets::{CORE, Feature, Library, SYSROOT, SubjectName, Target, TargetName};
use capvec_text::shell::word;
use capvec_util::atomic_file;
use clap::ValueEnum;
use std::path::PathBuf;
use std::process::ExitCode;

/// The end of the help text, after the names of algorithms.
const SETS_AND_EXAMPLES: &str = "Capability sets are those of `capvec bench`; scalar always runs, for comparison.\n\
    With --out DIR, the same command resumes an interrupted run.\n\n\
    Exit status: 0 every answer is right, 1 an answer is wrong, 2 usage error, 3 the check could not be carried out.\n\n\
    Examples:\n  \
    capvec kat\n  \
    capvec kat --algorithms aes-128-gcm,sha256 --caps all-subsets\n  \
    capvec kat --algorithms symmetric --caps full --vlen 128,256,512,1024\n  \
    capvec kat --target native --algorithms symmetric\n  \
    capvec kat --target qemu:aarch64 --algorithms aes-128-gcm,sha256\n  \
    capvec kat --vectors my/vectors --caps auto --format json";

/// The names of algorithms, folded to lines.
fn algorithms_text() -> String {
    const WIDTH: usize = 100;
    let lead =
        "Algorithms: those of `capvec bench --list` except the families keys and tls13, and also";
    let mut lines = vec![lead.to_string(), " ".into()];
    for name in kat::others() {
        match lines.last_mut().filter(|l| l.len() + 1 + name.len() < WIDTH) {
            Some(line) => *line += &format!(" {name}"),
            None => lines.push(format!("  {name}")),
        }
    }
    lines.join("\n")
}

/// Check a library against known answers on every capability set, in the simulator or on another target
///
/// Checks vectors from the standards and from Wycheproof, and vectors for every message length, in many forms: unaligned, in
/// place, at the end of mapped memory, in pieces. Wrong tags and bad padding must be refused. Results must also equal those of
/// the scalar path. The vectors are those in vectors/, which are built in.
#[derive(clap::Args)]
#[command(after_help = format!("{}\n\n{SETS_AND_EXAMPLES}", algorithms_text()))]
pub struct Args {
    #[command(flatten)]
    on: TargetFlags,
    #[arg(long, default_value_t = SubjectName::default(), help = format!("Library: {}", subjects(true)))]
    subject: SubjectName,
    #[arg(long, value_parser = CoreName, hide_possible_values = true, help = with_default(
        "Core model of the simulator, for its ISA and VLEN: a name from `capvec cores list`, or a file",
        CORE,
    ))]
    core: Option<String>,
    #[command(flatten)]
    misaligned: MisalignedFlag,
    #[command(flatten)]
    isa_files: IsaFiles,
    #[arg(long, value_delimiter = ',', value_parser = vlen, help = vlen_help("Vector register lengths in bits", "the core's own"))]
    vlen: Vec<u32>,
    /// Algorithms: all, symmetric, pkey, pqc (post-quantum), a family (as far as the library has it), or single names; also spelled --cases
    #[arg(long, value_delimiter = ',', default_value = "all")]
    algorithms: Vec<String>,
    /// The same as --algorithms
    #[arg(long, value_delimiter = ',', hide = true, conflicts_with = "algorithms")]
    cases: Vec<String>,
    /// Capability sets
    #[arg(long, value_delimiter = ',', default_value = "scalar,auto,full,dispatch")]
    caps: Vec<String>,
    #[arg(long, value_enum, help = with_default(
        &only_with("What agnostic elements become", Feature::Agnostic),
        "both",
    ))]
    agnostic: Option<Policy>,
    /// Directory of vectors to use instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Check only this vector, named as in the report of a failure
    #[arg(long, value_name = "FILE:ID")]
    vector: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Also write kat.csv, kat.json and kat.md to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Policy {
    Undisturbed,
    Ones,
    Both,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let target = target(&args)?;
    let library = target.find(&args.subject)?;
    let dir = args.vectors.as_deref();
    let (flag, names) = algorithms(&args.algorithms, &args.cases);
    let mut vectors = Vectors::load(Names { flag, names }, dir, library.kind).map_err(usage)?;
    if let Some(name) = &args.vector {
        vectors.keep(name).map_err(usage)?;
    }
    if vectors.vectors.is_empty() {
        let flag = if args.vectors.is_some() { "--vectors" } else { flag };
        return Err(Usage(format!("{flag}: there are no vectors for these algorithms")).into());
    }
    if let Some(dir) = &args.out {
        atomic_file::prepare(dir)?;
    }
    let quiet = args.quiet;
    let (runner, plan) = prepare(&args, &target, &library, vectors)?;
    for warning in plan.wanted.iter().flat_map(|w| w.capset.warnings_for(runner.has_libcapvec())) {
        say!("warning: {warning}");
    }
    let checkpoint = match &args.out {
        Some(dir) => Some(open_checkpoint(dir, &identity(&runner, &plan)?)?),
        None => None,
    };
    let record = check(&runner, &plan, checkpoint.as_ref(), quiet)?;
    let json = serde_json::to_string_pretty(&record)? + "\n";
    if let Some(dir) = &args.out {
        atomic_file::write(&dir.join("kat.csv"), &record.csv())?;
        atomic_file::write(&dir.join("kat.json"), &json)?;
        atomic_file::write(&dir.join("kat.md"), &record.markdown())?;
    }
    checkpoint.map_or(Ok(()), Checkpoint::finish)?;
    let text = match args.format {
        Format::Table => record.text(terminal_width()),
        Format::Csv => record.csv(),
        Format::Json => json,
        Format::Md => record.markdown(),
    };
    crate::cmd::print(&text)?;
    if !matches!(args.format, Format::Table) {
        crate::cmd::print_error(&record.failures());
    }
    Ok(if record.good() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn identity(runner: &Runner, plan: &Plan) -> Result<Identity> {
    let algorithms = plan.vectors.algorithms.iter().map(|a| a.id.clone()).collect();
    runner.identity(TOOL, algorithms, Vec::new(), plan.id())
}

fn check(
    runner: &Runner,
    plan: &Plan,
    checkpoint: Option<&Checkpoint>,
    quiet: bool,
) -> Result<Record> {
    let bar = bar(quiet, plan.len(), "vectors")?;
    let configured = kat::run(runner, plan, checkpoint, &|n| bar.inc(n as u64))?;
    bar.finish_and_clear();
    kat::record(TOOL, plan, &configured, runner)
}

/// The target, if it supports everything that the flags ask for.
fn target(args: &Args) -> Result<Target> {
    let asked = [
        (args.core.is_some(), Feature::Core),
        (args.misaligned.is_some(), Feature::Misaligned),
        (args.isa_files.is_some(), Feature::IsaFile),
        (!args.vlen.is_empty(), Feature::Vlen),
        (args.agnostic.is_some(), Feature::Agnostic),
    ];
    args.on.require(&args.subject, &asked)?;
    args.isa_files.register()?;
    let core = match args.on.target {
        TargetName::Sim => {
            Some(core_choice::one(args.core.as_deref().unwrap_or(CORE), &args.misaligned.and(&[]))?)
        }
        _ => None,
    };
    Ok(args.on.chosen(core))
}

/// Opens the target and plans the checks; if the processor is known beforehand, plans first.
fn prepare(
    args: &Args,
    target: &Target,
    library: &Library,
    vectors: Vectors,
) -> Result<(Runner, Plan)> {
    CapSet::refuse_blank(&args.caps).map_err(usage)?;
    let vlens = once(target.vlens(&args.vlen));
    let expand = |processor: Processor| {
        // Scalar comes first: the other sets are compared with it.
        let caps: Vec<String> =
            std::iter::once("scalar".to_string()).chain(args.caps.iter().cloned()).collect();
        processor.expand(&caps, &vectors.algorithms).map_err(usage)
    };
    let known = Processor::of(target).map(expand).transpose()?;
    // The measuring driver is asked what the library detects.
    let programs: &[Program] =
        if known.is_some() { &[Program::Check] } else { &[Program::Measure, Program::Check] };
    let runner = open(target, library, programs, args.quiet)?;
    let sets = match known {
        Some(sets) => sets,
        None => expand(Processor::ask(&runner, vlens.first().copied().unwrap_or(0))?)?,
    };
    say_beyond(&sets);
    let agnostic = match args.agnostic {
        Some(Policy::Undisturbed) => vec![Agnostic::Undisturbed],
        Some(Policy::Ones) => vec![Agnostic::Ones],
        Some(Policy::Both) | None => target.policies().to_vec(),
    };
    let plan = Plan { vectors, wanted: sets.wanted, vlens, agnostic, reproduce: reproduce(args) };
    Ok((runner, plan))
}

/// The flags that reproduce a failure.
fn reproduce(args: &Args) -> ReproduceFlags {
    let flag = |name: &str, value: &str, default: &str| match value {
        v if v == default => String::new(),
        v => format!(" {name} {}", word(v)),
    };
    let subject = flag("--subject", &args.subject.to_string(), &SubjectName::default().to_string());
    let core = flag("--core", args.core.as_deref().unwrap_or(CORE), CORE);
    let target = flag("--target", &args.on.target.to_string(), "sim");
    let cpu = flag("--qemu-cpu", args.on.qemu_cpu.as_deref().unwrap_or_default(), "");
    let vectors = args.vectors.as_ref().map(|d| d.to_string_lossy().into_owned());
    let sysroot = args.on.sysroot.as_deref().unwrap_or(SYSROOT);
    ReproduceFlags {
        common: core
            + &args.isa_files.text()
            + &args.misaligned.text()
            + &flag("--sysroot", sysroot, SYSROOT),
        target_flags: target
            + &cpu
            + &subject
            + &flag("--vectors", vectors.as_deref().unwrap_or_default(), ""),
        stock: args.on.target == TargetName::Sim && args.subject == SubjectName::OpenSsl,
    }
}
