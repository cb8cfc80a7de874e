//! `capvec bench`: the sweep.

use crate::cmd::{Usage, usage};
use anyhow::{Context, Result};
use capvec_bench::capset::CapSet;
use capvec_bench::record::{METHOD, Record};
use capvec_bench::run::Runner;
use capvec_bench::sweep::{self, Plan};
use capvec_bench::{case, output, published, table};
use capvec_timing::Core;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Measure stock OpenSSL on a modelled core, with every capability set
///
/// The library of the sysroot runs unmodified. Instructions retired are exact, cycles are of the core model,
/// and every algorithm's known answers are checked on every capability set: a wrong one blanks the figure and
/// makes the exit status 1. The same command prints the same figures.
#[derive(clap::Args)]
#[command(
    after_help = "Capability sets: scalar (rv64gc), full (all that OpenSSL knows), auto (the core as it \
    is, detected by the library), published (those of the published table), or extensions joined by _, such as \
    zvkb_zvkned; V comes with vector ones.\n\n\
    Examples:\n  \
    capvec bench\n  \
    capvec bench --core marian --cases aes-128-gcm,sha256 --caps scalar,zvkb_zvkg_zvkned,full\n  \
    capvec bench --cases symmetric --caps scalar,full\n  \
    capvec bench --vlen 128,256,512 --bytes 64,1024,16384 --format csv --out out/vlen"
)]
pub struct Args {
    /// Core model: a name of `capvec cores list`, or a file
    #[arg(long, default_value = "karu64")]
    core: String,
    /// Vector register lengths in bits [default: the core's]
    #[arg(long, value_delimiter = ',', value_parser = vlen)]
    vlen: Vec<u32>,
    /// Cases: all, symmetric, pkey, published, families, or names (see --list)
    #[arg(long, value_delimiter = ',', default_value = "published")]
    cases: Vec<String>,
    /// Capability sets
    #[arg(long, value_delimiter = ',', default_value = "scalar,published,auto,full")]
    caps: Vec<String>,
    /// Message sizes in bytes
    #[arg(long, value_delimiter = ',', default_value = "16384", value_parser = bytes)]
    bytes: Vec<usize>,
    /// What to print
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Also write results.csv, record.json and table.md there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Sysroot that the library comes from, by name
    #[arg(long, default_value = "trixie-riscv64")]
    sysroot: String,
    /// List the cases with why they are there, and stop
    #[arg(long)]
    list: bool,
    /// Fetch and build what measuring needs, and stop
    #[arg(long)]
    setup_only: bool,
    /// No progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
    Md,
}

/// A VLEN that the simulator has.
pub fn vlen(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(v) if (128..=65536).contains(&v) && u32::is_power_of_two(v) => Ok(v),
        _ => Err("a power of two from 128 to 65536".into()),
    }
}

/// A message size: the driver's buffer holds 65536 bytes.
fn bytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(v) if (1..=65536).contains(&v) => Ok(v),
        _ => Err("a number from 1 to 65536".into()),
    }
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.list {
        io::stdout().lock().write_all(list()?.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let core = Core::load(&args.core).map_err(usage)?;
    let plan = plan(&args, &core)?;
    if let Some(dir) = &args.out {
        output::prepare(dir)?;
    }
    let quiet = args.quiet || !io::stderr().is_terminal();
    let spinner = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    spinner.enable_steady_tick(Duration::from_millis(100));
    let runner =
        Runner::new(core, &args.sysroot, &mut |what| spinner.set_message(what.to_string()))?;
    spinner.finish_and_clear();
    if args.setup_only {
        return Ok(ExitCode::SUCCESS);
    }
    let record = measure(&runner, &plan, quiet)?;
    let text = match args.format {
        Format::Table => table::text(&record, &plan.capsets, terminal_width())?,
        Format::Csv => record.csv(),
        Format::Json => serde_json::to_string_pretty(&record)? + "\n",
        Format::Md => table::markdown(&record, &plan.capsets)?,
    };
    if let Some(dir) = &args.out {
        output::write(&dir.join("results.csv"), &record.csv())?;
        output::write(&dir.join("record.json"), &(serde_json::to_string_pretty(&record)? + "\n"))?;
        output::write(&dir.join("table.md"), &table::markdown(&record, &plan.capsets)?)?;
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(verdict(&record))
}

/// Every case, family by family.
fn list() -> Result<String> {
    let mut text = String::new();
    let mut family = String::new();
    for c in case::all()? {
        if c.family != family {
            text += &format!("{}{}\n", if family.is_empty() { "" } else { "\n" }, c.family);
            family = c.family.clone();
        }
        let operations: Vec<_> = c.operations.iter().map(|o| o.name()).collect();
        text += &format!("  {:<20} {:<22} {}\n", c.id, operations.join(" "), c.why);
    }
    Ok(text)
}

fn measure(runner: &Runner, plan: &Plan, quiet: bool) -> Result<Record> {
    let steps = plan.capsets.len() * plan.vlens.len();
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(steps as u64) };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} configurations {elapsed}")
        .context("the template is fixed")?;
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    let swept = sweep::run(runner, plan, &|| bar.inc(1))?;
    bar.finish_and_clear();
    Ok(Record {
        tool: concat!("capvec ", env!("CARGO_PKG_VERSION")).into(),
        command: std::env::args().skip(1).collect(),
        method: METHOD,
        packages: runner.packages().to_vec(),
        driver: runner.driver_id().into(),
        self_check: swept.self_check,
        rows: swept.rows,
    })
}

/// 1 if an answer is wrong or the counter miscounts; says what, on standard error.
fn verdict(record: &Record) -> ExitCode {
    let mut failed = false;
    if record.self_check != "exact" {
        eprintln!("capvec: self-check of the instruction counter: {}", record.self_check);
        failed = true;
    }
    for r in record.rows.iter().filter(|r| !r.passed()) {
        eprintln!(
            "capvec: {} {} at VLEN {} with {}: {}",
            r.case, r.direction, r.vlen, r.capset, r.answers
        );
        failed = true;
    }
    if failed { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

fn plan(args: &Args, core: &Core) -> Result<Plan> {
    let cases = case::select(&args.cases).map_err(usage)?;
    let mut names: Vec<String> = Vec::new();
    for name in &args.caps {
        if name == "published" {
            let rows = published::karu64()?;
            let wanted = rows.iter().filter(|r| cases.iter().any(|c| c.id == r.case));
            names.extend(wanted.map(|r| r.best_capset.clone()));
        } else {
            names.push(name.clone());
        }
    }
    let mut capsets: Vec<CapSet> = Vec::new();
    for name in &names {
        if !capsets.iter().any(|c| c.name == *name) {
            capsets.push(CapSet::parse(name, &core.isa).map_err(usage)?);
        }
    }
    if capsets.is_empty() {
        return Err(Usage("--caps: no capability set".into()).into());
    }
    let vlens = if args.vlen.is_empty() { vec![core.vlen] } else { args.vlen.clone() };
    Ok(Plan { cases, capsets, vlens, bytes: args.bytes.clone() })
}

/// The width to fold the table to: only on a terminal.
fn terminal_width() -> Option<u16> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(columns.max(80))
}
