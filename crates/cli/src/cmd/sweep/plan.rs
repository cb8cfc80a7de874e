//! `capvec sweep plan`.

use super::build;
use crate::cmd::bench::{Args as Bench, prepare, timed};
use crate::cmd::{Usage, core_choice, say, usage};
use anyhow::{Context, Error, Result, anyhow};
use capvec_bench::case;
use capvec_bench::processor::Processor;
use capvec_sweep::{Axes, Plan};
use capvec_text::escape;
use capvec_util::atomic_file;
use clap::Parser;
use std::collections::{BTreeMap, HashSet};
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

/// The command line of a job.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Flags {
    #[command(flatten)]
    bench: Bench,
}

/// The flags of a job, as `capvec bench` takes them.
pub fn parsed(flags: &[String]) -> Result<Bench> {
    let flags = Flags::try_parse_from(flags).map_err(|e| {
        let text = e.to_string();
        // The second line, if it belongs to the first one, lists the valid values.
        let lines = text.lines().take(2).map(str::trim).take_while(|line| !line.is_empty());
        Usage(lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").into())
    })?;
    Ok(flags.bench)
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

/// Refuses values that `bench` would refuse, each in a combination that is not left out.
fn check(axes: &Axes) -> Result<()> {
    let mut prepared = false;
    for values in axes.samples() {
        let bench = parsed(&axes.flags(&values))?;
        if !prepared {
            prepare(&bench)?;
            prepared = true;
        }
        let cases = case::select(&bench.cases)?;
        let cores = core_choice::all(&bench.cores(), &bench.set)
            .map_err(|e| with_remedy(axes, &bench, e))?;
        for core in &cores {
            Processor::Any(core.isa).expand(&bench.caps, &cases)?;
        }
    }
    check_sets(axes)
}

/// Refuses sets whose cycles a core cannot count. Each pair of a core and a set is tried, since samples need not have it.
fn check_sets(axes: &Axes) -> Result<()> {
    let place = |name: &str| axes.axes.iter().position(|axis| axis.name == name);
    let pair = [place("core"), place("caps")];
    let mut seen = HashSet::new();
    for values in axes.walk() {
        if !seen.insert(pair.map(|at| at.map(|at| values[at]))) {
            continue;
        }
        let bench = parsed(&axes.flags(&values))?;
        let cases = case::select(&bench.cases)?;
        for core in core_choice::all(&bench.cores(), &bench.set)? {
            let sets = Processor::Any(core.isa).expand(&bench.caps, &cases)?.wanted;
            timed(&core, sets)
                .map_err(|e| anyhow!("{e:#}; or leave out this pair by [[exclude]]"))?;
        }
    }
    Ok(())
}

/// The error of a core; if another core of the sweep has these parameters, with how to leave out this one.
fn with_remedy(axes: &Axes, bench: &Bench, error: Error) -> Error {
    let mut cores = axes.axes.iter().filter(|a| a.name == "core").flat_map(|a| &a.values);
    let possible =
        cores.any(|core| core_choice::all(std::slice::from_ref(core), &bench.set).is_ok());
    // A core that does not exist is to be corrected, not left out.
    match possible && core_choice::all(&bench.cores(), &[]).is_ok() {
        true => anyhow!("{error:#}; or leave out this core with these parameters by [[exclude]]"),
        false => error,
    }
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
