//! `capvec cores import`: a core file from a table of instructions.

use crate::cmd::core_choice::CoreName;
use crate::cmd::{Usage, core_choice, say, usage};
use anyhow::Result;
use capvec_text::digits::PERCENT;
use capvec_text::escape;
use capvec_timing::import::{Form, Vlen, import};
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
    #[arg(long, value_name = "CORE", value_parser = CoreName, hide_possible_values = true)]
    like: String,
    /// Bits of a vector register [default: what a page of rvv-bench-results states, or else those of the core of --like]
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
    if table.trim().is_empty() {
        return Err(Usage(format!(
            "{shown} is empty; see docs/silicon.md for how to make the table"
        ))
        .into());
    }
    let form = match args.form {
        FormArg::RvvBench => Form::RvvBench,
        FormArg::LlvmMca => Form::LlvmMca,
    };
    let like = core_choice::one(&args.like, &[])?;
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let origin = args.origin.clone().unwrap_or_else(|| name.into_owned());
    let page = || {
        let source = format!("{}, {origin}: the page states it", form.name());
        form.vlen(&table).map(|bits| Vlen { bits, source })
    };
    let given = args.vlen.map(|bits| Vlen { bits, source: "--vlen".into() });
    let vlen = given.or_else(page);
    let made = import(form, &table, &args.name, &origin, &like, vlen.as_ref()).map_err(usage)?;
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
    match &vlen {
        Some(vlen) if args.vlen.is_none() => say!("VLEN {}, as the page states", vlen.bits),
        None if made.has_vectors => say!(
            "warning: the table does not state its VLEN; {} is assumed, that of {}; --vlen gives another",
            like.vlen,
            like.name
        ),
        _ => {}
    }
    for (class, misfit) in &made.misfits {
        say!(
            "warning: {class}: its cost deviates from the table by up to {} %, which the model cannot express",
            PERCENT.text(*misfit)
        );
    }
    match &args.output {
        None => Ok(made.text),
        Some(path) => {
            atomic_file::output(path, &made.text)?;
            Ok(String::new())
        }
    }
}
