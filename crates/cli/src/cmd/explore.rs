//! `capvec explore`: what added instructions buy.

use crate::cmd::core_choice::{self, CoreName, SetFlag};
use crate::cmd::flags::{
    CORE_HELP, Format, algorithms, bytes, offered, once, subjects, terminal_width, vlen,
};
use crate::cmd::isa_files::IsaFiles;
use crate::cmd::progress::bar;
use crate::cmd::setup::{self, TOOL};
use crate::cmd::{CheckFailed, say, usage};
use anyhow::Result;
use capvec_bench::case;
use capvec_bench::explore::{self, Plan, Request};
use capvec_bench::run::Runner;
use capvec_guest::LONGEST;
use capvec_record::explored::Explored;
use capvec_record::published::speeds::KARU64;
use capvec_record::shown::Tables;
use capvec_targets::{CORE, SubjectName, Target, TargetName};
use capvec_text::{escape, shell};
use capvec_util::atomic_file;
use std::path::PathBuf;
use std::process::ExitCode;

/// Latencies that are tried unless --latency names others.
const LATENCIES: &str = "1,4,16,25,64";
/// VLENs that are tried in addition to the core's own unless --vlen names others.
const VLENS: &str = "128,256,512,1024";

/// Measure what added instructions buy: drafts, or instructions of your own
///
/// The cases run on a modelled core without and with the extensions of --with, each alone and as many together as one hart
/// can have. Counts are exact, cycles are those of the core model. The output shows the gain, the share of the remaining time
/// that the new instructions take, the gain if they took no time at all, and how the gain depends on their latency and on
/// VLEN. Every answer is checked: a wrong one blanks the figures and makes the exit status 1.
#[derive(clap::Args)]
#[command(
    override_usage = "capvec explore [OPTIONS] --with <EXTENSIONS> --cases <CASES>",
    after_help = "Examples:\n  \
    capvec explore --with zvknhk0p2 --cases sha3\n  \
    capvec explore --with zvknhk0p1 --with zvknhk0p2 --cases shake128 --bytes 168,16384 --core marian\n  \
    capvec explore --with zvkg --base zvkned --cases aes-128-gcm --subject openssl\n  \
    capvec explore --with xmine --isa-file my.toml --subject ./build/libcrypto.so.3 --base scalar --cases chacha20"
)]
pub struct Args {
    /// Extensions to add, joined by _; if the flag is repeated, its values are measured alone and, where one hart can
    /// have them, together
    #[arg(long, required = true, value_name = "EXTENSIONS")]
    with: Vec<String>,
    /// Capability set to add them to, as for `capvec bench`
    #[arg(long, default_value = "full", value_name = "SET")]
    base: String,
    #[arg(long, default_value = "capvec", help = format!("Library: {}", subjects(false)))]
    subject: SubjectName,
    #[arg(long, value_parser = CoreName, hide_possible_values = true, help = CORE_HELP, default_value = CORE)]
    core: String,
    /// Change a parameter of the core model; repeatable (see `capvec cores show`)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<SetFlag>,
    #[command(flatten)]
    isa_files: IsaFiles,
    /// Algorithms: names, families and groups of `capvec bench --list`
    #[arg(long, value_delimiter = ',', required_unless_present = "algorithms")]
    cases: Vec<String>,
    /// The same as --cases
    #[arg(long, value_delimiter = ',', hide = true, conflicts_with = "cases")]
    algorithms: Vec<String>,
    /// Message sizes in bytes
    #[arg(long, value_delimiter = ',', default_values_t = [KARU64.bytes as u64], value_parser = size)]
    bytes: Vec<u64>,
    /// Latencies to try for a new instruction, or for each of its element groups, in cycles
    #[arg(long, value_delimiter = ',', default_value = LATENCIES, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    latency: Vec<u32>,
    /// Vector register lengths to try in addition to the core's own, in bits
    #[arg(long, value_delimiter = ',', default_value = VLENS, value_parser = vlen)]
    vlen: Vec<u32>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Also write explore.json, explore.csv and explore.md to this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

fn size(text: &str) -> Result<u64, String> {
    bytes(text, 1..=LONGEST as u64, &format!("from 1 to {LONGEST}"))
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    args.isa_files.register()?;
    if let Some(dir) = &args.out {
        atomic_file::prepare(dir)?;
    }
    let plan = plan(&args).map_err(usage)?;
    if !args.quiet {
        for (name, instructions) in plan.additions() {
            say!("{name}: {}", instructions.join(", "));
        }
    }
    let runners = runners(&args, &plan)?;
    let bar = bar(args.quiet, plan.len(), "runs")?;
    let explored = explore::run(&plan, &runners, TOOL, &|| bar.inc(1))?;
    bar.finish_and_clear();
    show(&args, &explored)
}

fn plan(args: &Args) -> Result<Plan> {
    let (flag, names) = algorithms(&args.algorithms, &args.cases);
    let cases = case::select_by(flag, names)?;
    offered(flag, &cases, &args.subject)?;
    Plan::new(Request {
        core: core_choice::one(&args.core, &args.set)?,
        base: args.base.clone(),
        with: once(args.with.clone()),
        cases,
        bytes: once(args.bytes.iter().map(|b| *b as usize).collect()),
        vlens: once(args.vlen.clone()),
        latencies: once(args.latency.clone()),
    })
}

fn runners(args: &Args, plan: &Plan) -> Result<Vec<Runner>> {
    let target = |core| Target { core: Some(core), ..Target::new(TargetName::Sim) };
    let open = |core| {
        let target = target(core);
        let library = target.find(&args.subject)?;
        setup::open(&target, &library, plan.programs(), args.quiet)
    };
    plan.cores().iter().cloned().map(open).collect()
}

fn show(args: &Args, explored: &Explored) -> Result<ExitCode> {
    let json = serde_json::to_string_pretty(explored)? + "\n";
    if let Some(dir) = &args.out {
        for (name, text) in
            [("json", &json), ("csv", &explored.csv()), ("md", &markdown(explored)?)]
        {
            atomic_file::replace(&dir.join(format!("explore.{name}")), text.as_bytes())?;
        }
    }
    crate::cmd::print(&match args.format {
        Format::Table => table(explored)?,
        Format::Csv => explored.csv(),
        Format::Json => json,
        Format::Md => markdown(explored)?,
    })?;
    let wrong: Vec<String> = (explored.wrong())
        .map(|p| format!("{} {}: {}", p.case, p.with, p.wrong.as_deref().unwrap_or_default()))
        .collect();
    match once(wrong)[..] {
        [] => Ok(ExitCode::SUCCESS),
        [ref first, ..] => {
            Err(CheckFailed(format!("wrong answers: {}", escape::line(first))).into())
        }
    }
}

fn about(e: &Explored) -> String {
    format!(
        "{} ({}) on {}, VLEN {}, in addition to {}",
        e.subject,
        e.version,
        e.core,
        e.vlen,
        e.base_text()
    )
}

fn table(explored: &Explored) -> Result<String> {
    let tables = explored.drawn(|s| format!("\n{}", s.text(terminal_width())))?;
    Ok(format!("{}\n{tables}", escape::line(&about(explored))))
}

fn markdown(explored: &Explored) -> Result<String> {
    let tables = explored.drawn(|s| format!("\n{}", s.markdown()))?;
    let words: Vec<String> = explored.command.iter().map(|w| shell::word(w)).collect();
    let command = escape::line(&words.join(" ")).into_owned();
    Ok(format!("{}\n\nMade by `{command}`.\n{tables}", escape::line(&about(explored))))
}
