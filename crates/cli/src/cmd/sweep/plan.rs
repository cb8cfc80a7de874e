//! `capvec sweep plan`.

use super::build;
use super::check::check;
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result};
use capvec_sweep::{Axes, Plan};
use capvec_text::escape;
use capvec_util::atomic_file;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write the jobs of a sweep
#[derive(clap::Args)]
#[command(after_help = "The file:\n  \
    [axes]                       # every combination is a job\n  \
    core = [\"karu64\", \"marian\"]\n  \
    vlen = [128, 256, 512]\n  \
    caps = [\"scalar\", \"full\"]\n  \
    cases = [\"sha256\", \"aes-128-gcm\"]\n  \
    vector.startup = [2, 4, 7.5]   # any parameter of `capvec cores show`\n\n  \
    [common]                     # flags of every job\n  \
    bytes = [1024, 16384]\n\n  \
    [[exclude]]                  # combinations that are left out\n  \
    core = \"marian\"\n  \
    vlen = 128")]
pub struct Args {
    /// File with the axes
    file: PathBuf,
    /// File to write; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// Runs the sub-command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let name = escape::path(&args.file);
    let text = capvec_text::file::read(&args.file).map_err(|e| Usage(format!("{name}: {e}")))?;
    let axes = Axes::parse(&name, &text).map_err(usage)?;
    check(&axes).map_err(|e| Usage(format!("{name}: {e:#}")))?;
    let plan = Plan::of(&name, &axes, build()?, files(&axes)?).map_err(usage)?;
    let left_out = axes.combinations() - plan.jobs.len();
    if args.output == Path::new("-") {
        crate::cmd::print_as_it_is(&plan.text())?;
    } else {
        let to = || format!("cannot write {}", escape::path(&args.output));
        atomic_file::replace(&args.output, plan.text()).with_context(to).map_err(usage)?;
    }
    say!("{} jobs; {left_out} combinations are left out", plan.jobs.len());
    Ok(ExitCode::SUCCESS)
}

/// Digests of the files that flags name: core models, cases, custom instructions.
fn files(axes: &Axes) -> Result<BTreeMap<String, String>> {
    let values = axes.axes.iter().flat_map(|axis| &axis.values);
    let words = values.chain(&axes.common).flat_map(|word| word.split(','));
    let files = words.filter(|word| word.contains('/') || word.ends_with(".toml"));
    files
        .map(|file| {
            let digest =
                capvec_util::digest(Path::new(file)).context("a file that the sweep names");
            Ok((file.to_string(), digest.map_err(usage)?))
        })
        .collect()
}
