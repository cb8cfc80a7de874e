//! `capvec cores validate`: core models against published speeds.

use crate::cmd::flags::{Format, terminal_width};
use crate::cmd::setup::{self, TOOL};
use crate::cmd::{progress, usage};
use anyhow::{Result, ensure};
use capvec_bench::predictions;
use capvec_bench::run::Runner;
use capvec_guest::Program;
use capvec_record::grid::Section;
use capvec_record::predicted::Predicted;
use capvec_record::published::silicon::{self, Line};
use capvec_record::shown::Tables;
use capvec_targets::{SubjectName, Target, TargetName};
use capvec_text::{escape, suggest};
use capvec_timing::Core;

/// Flags of `capvec cores validate`.
#[derive(clap::Args)]
pub struct Args {
    /// Cores to validate [default: all that have published figures]
    #[arg(value_name = "CORE")]
    cores: Vec<String>,
    /// Predict each figure in this many random layouts of memory, the same ones every time, and show the median and the range: where stack,
    /// heap, libraries and buffers lie decides which cache lines conflict
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    layouts: Option<u64>,
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
    let runner = |name: &str| -> Result<Runner> {
        let target =
            Target { core: Some(predictions::core(name)?), ..Target::new(TargetName::Sim) };
        setup::open(
            &target,
            &target.find(&SubjectName::OpenSsl)?,
            &[Program::Measure, Program::Check],
            args.quiet,
        )
    };
    let bar = progress::bar(args.quiet, lines.len(), "figures")?;
    let predicted =
        predictions::run(&lines, &runner, args.layouts.unwrap_or(0), TOOL, &|| bar.inc(1))?;
    bar.finish_and_clear();
    Ok(match args.format {
        Format::Table => tables(&predicted, |s| format!("\n{}", s.text(terminal_width())))?,
        Format::Md => tables(&predicted, |s| format!("\n{}", s.markdown()))?,
        Format::Csv => predicted.csv(),
        Format::Json => serde_json::to_string_pretty(&predicted)? + "\n",
    })
}

fn tables(predicted: &Predicted, draw: impl Fn(&Section) -> String) -> Result<String> {
    let tables = predicted.drawn(draw)?;
    Ok(format!("Predicted with OpenSSL {}\n{tables}", escape::line(&predicted.version)))
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
