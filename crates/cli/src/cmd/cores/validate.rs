//! `capvec cores validate`: core models against published speeds.

use super::c_build;
use crate::cmd::core_choice::CoreName;
use crate::cmd::flags::{Format, terminal_width};
use crate::cmd::setup::TOOL;
use crate::cmd::{progress, usage};
use anyhow::{Result, ensure};
use capvec_bench::predictions;
use capvec_record::grid::Section;
use capvec_record::predicted::Predicted;
use capvec_record::published::silicon::{self, Line};
use capvec_record::read::load;
use capvec_record::shown::Tables;
use capvec_targets::SubjectName;
use capvec_text::{escape, suggest};
use capvec_timing::Core;
use std::path::PathBuf;

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
    let build = args.c_build.as_ref().map(|name| c_build::find(name).map_err(usage)).transpose()?;
    let record = |file: &PathBuf| Ok(load(file).map_err(usage)?.record.into_facts());
    let measured = args.measured.iter().map(record).collect::<Result<Vec<_>>>()?;
    let runner = |name: &str, subject: &SubjectName| {
        c_build::runner(predictions::core(name)?, subject, args.quiet)
    };
    let stock = |name: &str| runner(name, &SubjectName::OpenSsl);
    let own = build.as_ref().map(|build| SubjectName::Build(build.name.clone()));
    let own = own.as_ref().map(|subject| move |name: &str| runner(name, subject));
    let own = own.as_ref().map(|make| make as predictions::MakeRunner);
    let programs = predictions::Programs { stock: &stock, c_build: own, measured: &measured };
    let bar = progress::bar(args.quiet, lines.len(), "figures")?;
    let layouts = args.layouts.unwrap_or(0);
    let predicted = predictions::run(&lines, programs, layouts, TOOL, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let predicted = Predicted { c_build: build.as_ref().map(c_build::described), ..predicted };
    Ok(match args.format {
        Format::Table => tables(&predicted, |s| format!("\n{}", s.text(terminal_width())))?,
        Format::Md => tables(&predicted, |s| format!("\n{}", s.markdown()))?,
        Format::Csv => predicted.csv(),
        Format::Json => serde_json::to_string_pretty(&predicted)? + "\n",
    })
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
