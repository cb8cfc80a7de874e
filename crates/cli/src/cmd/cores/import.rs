//! `capvec cores import`: a core file from a table of instructions.

use crate::cmd::{Usage, core_choice, say, usage};
use anyhow::{Context, Result};
use capvec_text::digits::PERCENT;
use capvec_text::escape;
use capvec_timing::Setting;
use capvec_timing::import::{Form, import};
use capvec_util::atomic_file;
use clap::ValueEnum;
use std::path::PathBuf;

/// Flags of `capvec cores import`.
#[derive(clap::Args)]
pub struct Args {
    /// What made the table: rvv-bench (its programs in instructions/, or a page of rvv-bench-results), or `llvm-mca -instruction-tables`
    #[arg(value_name = "FORM", value_enum)]
    form: FormArg,
    /// The table
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Name of the new core
    #[arg(long)]
    name: String,
    /// The core to take all other parameters from, such as those of caches and branches
    #[arg(long, value_name = "CORE")]
    like: String,
    /// Bits of a vector register [default: those of the core of --like]
    #[arg(long, value_parser = crate::cmd::flags::vlen)]
    vlen: Option<u32>,
    /// Where the table is from, for the source of each parameter [default: the file's name]
    #[arg(long, value_name = "TEXT")]
    origin: Option<String>,
    /// Write the core to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormArg {
    RvvBench,
    LlvmMca,
}

/// The core file, or nothing if it is written to a file.
pub fn text(args: &Args) -> Result<String> {
    let shown = escape::path(&args.file);
    let read = capvec_text::file::read(&args.file);
    let table = read.map_err(|e| Usage(format!("{shown}: {e}")))?;
    let form = match args.form {
        FormArg::RvvBench => Form::RvvBench,
        FormArg::LlvmMca => Form::LlvmMca,
    };
    let mut like = core_choice::one(&args.like, &[])?;
    if let Some(vlen) = args.vlen {
        let setting = Setting { key: "core.vlen".into(), value: vlen.to_string() };
        like = like.with(&[setting]).map_err(usage)?;
    }
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let origin = args.origin.clone().unwrap_or_else(|| name.into_owned());
    let made = import(form, &table, &args.name, &origin, &like).map_err(usage)?;
    let Some(made) = made else {
        return Err(Usage(format!(
            "{shown}: it has no instruction in the form of {}; see docs/silicon.md",
            form.name()
        ))
        .into());
    };
    say!(
        "{} of {} parameters are from the table, the others are those of {}",
        made.given,
        made.all,
        like.name
    );
    for (class, misfit) in &made.misfits {
        say!(
            "warning: {class}: its cost deviates from the table by up to {} %, which the model cannot express",
            PERCENT.text(*misfit)
        );
    }
    match &args.output {
        None => Ok(made.text),
        Some(path) => {
            atomic_file::write(path, &made.text).with_context(|| escape::path(path).to_string())?;
            Ok(String::new())
        }
    }
}
