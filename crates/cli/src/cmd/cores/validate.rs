//! `capvec cores validate`: core models against published speeds.

use crate::cmd::core_choice::CoreName;
use crate::cmd::flags::{Format, terminal_width};
use crate::cmd::setup::{self, TOOL};
use crate::cmd::{progress, usage};
use anyhow::{Context, Result, ensure};
use capvec_bench::predictions;
use capvec_bench::run::Runner;
use capvec_guest::Program;
use capvec_record::grid::Section;
use capvec_record::predicted::Predicted;
use capvec_record::published::silicon::{self, Line};
use capvec_record::read::load;
use capvec_record::shown::Tables;
use capvec_record::subject::BUILD;
use capvec_record::{Arch, Manifest};
use capvec_sysroot::Store;
use capvec_targets::backend::COMMAND;
use capvec_targets::builds;
use capvec_targets::{SubjectName, Target, TargetName};
use capvec_text::{escape, suggest};
use capvec_timing::Core;
use std::path::PathBuf;

/// How a build for `--c-build` is made.
const HOW: &str =
    "`capvec build openssl --arch riscv64 --variant no-asm --command` makes riscv64-no-asm";

/// Flags of `capvec cores validate`.
#[derive(clap::Args)]
pub struct Args {
    /// Cores to validate [default: all that have published figures]
    #[arg(value_name = "CORE", value_parser = CoreName, hide_possible_values = true)]
    cores: Vec<String>,
    /// Predict each figure in this many random layouts of memory, the same ones every time, and show the median and the range: where stack,
    /// heap, libraries and buffers lie decides which cache lines conflict
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    layouts: Option<u64>,
    /// Predict figures of programs in C, for which Debian's OpenSSL has assembly, by this build of OpenSSL (`capvec build openssl --arch
    /// riscv64 --variant no-asm --command`)
    #[arg(long, value_name = "NAME")]
    c_build: Option<String>,
    /// Predict figures of Cryptogams' kernels by this record of `capvec measure` (docs/silicon.md); repeatable
    #[arg(long, value_name = "RECORD")]
    measured: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// Predicts every published figure of these cores.
pub fn text(args: &Args) -> Result<String> {
    let lines = chosen(&silicon::lines()?, &args.cores).map_err(usage)?;
    let c_build = args.c_build.as_ref().map(|name| c_build(name).map_err(usage)).transpose()?;
    let record = |file: &PathBuf| Ok(load(file).map_err(usage)?.record.into_facts());
    let measured = args.measured.iter().map(record).collect::<Result<Vec<_>>>()?;
    let runner = |name: &str, subject: &SubjectName| -> Result<Runner> {
        let target =
            Target { core: Some(predictions::core(name)?), ..Target::new(TargetName::Sim) };
        let library = target.find(subject)?;
        setup::open(&target, &library, &[Program::Measure, Program::Check], args.quiet)
    };
    let stock = |name: &str| runner(name, &SubjectName::OpenSsl);
    let own = c_build.as_ref().map(|build| SubjectName::Build(build.name.clone()));
    let own = own.as_ref().map(|subject| move |name: &str| runner(name, subject));
    let own = own.as_ref().map(|make| make as predictions::MakeRunner);
    let programs = predictions::Programs { stock: &stock, c_build: own, measured: &measured };
    let bar = progress::bar(args.quiet, lines.len(), "figures")?;
    let layouts = args.layouts.unwrap_or(0);
    let predicted = predictions::run(&lines, programs, layouts, TOOL, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let predicted = Predicted { c_build: c_build.map(|b| described(&b)), ..predicted };
    Ok(match args.format {
        Format::Table => tables(&predicted, |s| format!("\n{}", s.text(terminal_width())))?,
        Format::Md => tables(&predicted, |s| format!("\n{}", s.markdown()))?,
        Format::Csv => predicted.csv(),
        Format::Json => serde_json::to_string_pretty(&predicted)? + "\n",
    })
}

/// A build of `--c-build`, with or without `openssl:`.
fn c_build(name: &str) -> Result<Manifest> {
    let store = Store::from_env()?;
    let plain = name.strip_prefix(BUILD).unwrap_or(name);
    let found = match builds::find(&store, plain).with_context(|| format!("--c-build {name}"))? {
        Some(build) => build,
        None => anyhow::bail!("--c-build {name}: there is no such build; {HOW}"),
    };
    let manifest = &found.manifest;
    let (arch, c) = (Arch::Riscv64.name(), manifest.options().any(|o| o == "no-asm"));
    ensure!(
        manifest.architecture == arch && c,
        "--c-build {name}: this is not a build of OpenSSL's C for {arch}; {HOW}"
    );
    ensure!(
        found.dir.join(COMMAND).is_file(),
        "--c-build {name}: this build lacks the command openssl; {HOW}"
    );
    Ok(found.manifest)
}

/// Name, source, flags and compiler of a build.
fn described(build: &Manifest) -> String {
    let flags: Vec<&str> = build.flags().collect();
    format!("{BUILD}{} ({}; {}; {})", build.name, build.source, flags.join(" "), build.compiler)
}

fn tables(predicted: &Predicted, draw: impl Fn(&Section) -> String) -> Result<String> {
    let tables = predicted.drawn(draw)?;
    let stock = match predicted.version.as_str() {
        "" => String::new(),
        version => format!("Predicted with OpenSSL {}\n", escape::line(version)),
    };
    let own = predicted.c_build.as_ref();
    let own = own.map_or(String::new(), |b| format!("Programs in C: {}\n", escape::line(b)));
    Ok(format!("{stock}{own}{tables}"))
}

/// The published figures of these cores; without any, all.
fn chosen(lines: &[Line], cores: &[String]) -> Result<Vec<Line>> {
    for name in cores {
        if lines.iter().any(|l| l.core == *name) {
            continue;
        }
        let known = Core::names().any(|n| n == name);
        ensure!(!known, "{name}: no speeds of this core are published; see published/silicon.csv");
        let hint = suggest::hint(name, lines.iter().map(|l| l.core.as_str()));
        anyhow::bail!("{name}: not a core with published speeds{hint}");
    }
    let wanted = |l: &&Line| cores.is_empty() || cores.contains(&l.core);
    Ok(lines.iter().filter(wanted).cloned().collect())
}
