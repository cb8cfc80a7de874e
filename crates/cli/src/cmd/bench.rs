//! `capvec bench`: the sweep.

mod elsewhere;
mod several;

use crate::cmd::place::spinner;
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result};
use capvec_bench::capset::{self, CapSet, Dispatch};
use capvec_bench::case::Case;
use capvec_bench::host::Host;
use capvec_bench::kat::Gate;
use capvec_bench::record::{Record, method};
use capvec_bench::run::{Program, Runner};
use capvec_bench::subject::Subject;
use capvec_bench::sweep::{self, Identity, Plan, Store};
use capvec_bench::target::{Choice, Kind};
use capvec_bench::{case, explain, fit, output, published, speed, table};
use capvec_timing::Core;
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Measure stock OpenSSL on a modelled core, with every capability set
///
/// The library of the sysroot runs unmodified. Instructions retired are exact, cycles are of the core model,
/// and every algorithm's known answers are checked on every capability set: a wrong one blanks the figure and
/// makes the exit status 1. The same command prints the same figures.
#[derive(clap::Args)]
#[command(after_help = "Capability sets:\n  \
    scalar        rv64gc\n  \
    full          all that OpenSSL knows\n  \
    auto          the core as it is, detected by the library\n  \
    zvkb_zvkned   extensions joined by _, with what they imply, and V if one is a vector extension\n  \
    rva23u64_zvkng  a profile or ISA string with additions, just as it says\n  \
    string:VALUE  VALUE as OPENSSL_riscvcap, as it is, on a hart that has what it says (see capvec caps lint)\n\
    and many at once:\n  \
    published     those of the published table\n  \
    singles       every capability that OpenSSL knows by itself\n  \
    dispatch      one for every path of OpenSSL's dispatch, by case\n  \
    all-subsets   every set of the capabilities that the case's dispatch asks for: hundreds for AES-GCM\n\n\
    With --out DIR an interrupted sweep goes on where it was when the same command is given again.\n\n\
    Examples:\n  \
    capvec bench\n  \
    capvec bench --cases symmetric --caps scalar,full\n  \
    capvec bench --cases aes-128-gcm --caps all-subsets --out out/gcm\n  \
    capvec bench --bytes 16,64,256,1024,8192,16384 --caps scalar,rva22u64,rva23u64_zvkng\n  \
    capvec bench --target qemu:aarch64 --subject openssl:asm,openssl:no-asm\n  \
    capvec bench --core marian --cases aes-128-gcm,sha256 --caps scalar,zvkb_zvkg_zvkned,full\n  \
    capvec bench --vlen 128,256,512 --bytes 64,1024,16384 --format csv --out out/vlen")]
pub struct Args {
    /// Where code runs: sim, native (this machine), qemu:ARCH, ssh:HOST (docs/targets.md)
    #[arg(long, default_value = "sim")]
    target: Choice,
    /// Library: openssl; capvec, the project's own; openssl+capvec, stock OpenSSL with that as its provider; elsewhere than
    /// in the simulator openssl, or openssl:NAME of `capvec build`, such as openssl:asm,openssl:no-asm. Several are compared
    #[arg(long, value_delimiter = ',', default_value = "openssl")]
    subject: Vec<String>,
    /// Core model of the simulator: a name of `capvec cores list`, or a file [default: karu64]
    #[arg(long)]
    core: Option<String>,
    /// Vector register lengths in bits, of sim and qemu:riscv64 [default: the core's, 256]
    #[arg(long, value_delimiter = ',', value_parser = vlen)]
    vlen: Vec<u32>,
    /// Cases: all, symmetric, pkey, published, families, names (see --list), or files of your own, ending in .toml
    /// [default: published; of several builds elsewhere than in the simulator aes-128-cbc,published]
    #[arg(long, value_delimiter = ',')]
    cases: Vec<String>,
    /// Capability sets [default: scalar,published,auto,full; elsewhere than in the simulator scalar,auto; of several subjects
    /// auto]
    #[arg(long, value_delimiter = ',')]
    caps: Vec<String>,
    /// Message sizes in bytes; with three or more, the cost of a call is separated from that of a byte [default: 16384; of
    /// several builds elsewhere than in the simulator 16,64,256,1024,8192,16384, the six of `openssl speed`]
    #[arg(long, value_delimiter = ',', value_parser = bytes)]
    bytes: Vec<usize>,
    /// Say by case what each extension adds, and measure the sets that show it; singles, dispatch and all-subsets say it
    /// anyway, of what they measure
    #[arg(long)]
    explain: bool,
    /// Also count by class which instructions an operation executes, in the simulator: an instruction mix for each row. All
    /// is interpreted once more for it
    #[arg(long)]
    mix: bool,
    /// Also run the stock program `openssl speed`, for one second of the core's time for each row that it can measure
    #[arg(long)]
    speed: bool,
    /// Vectors of `capvec kat` that a case must pass on a configuration, besides its known answers: about a dozen, all,
    /// or none
    #[arg(long, value_enum, default_value = "some")]
    kat: Kat,
    /// Directory of vectors instead of those built in
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Also write results.csv, record.json and table.md there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Processor that QEMU emulates, as its -cpu: cortex-a76 [default: the largest that it has]
    #[arg(long, value_name = "CPU")]
    qemu_cpu: Option<String>,
    /// Sysroot that the library comes from, by name, of sim and qemu [default: trixie-riscv64, trixie-ARCH]
    #[arg(long)]
    sysroot: Option<String>,
    /// List the cases, or those of --cases, with why they are there, and stop
    #[arg(long)]
    list: bool,
    /// Fetch and build what measuring needs, and stop
    #[arg(long)]
    setup_only: bool,
    /// No progress
    #[arg(short, long)]
    quiet: bool,
}

/// How many vectors.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Kat {
    All,
    Some,
    None,
}

/// What writes a record.
pub const TOOL: &str = concat!("capvec ", env!("CARGO_PKG_VERSION"));
/// Families of capability sets that are for finding out what an extension adds.
const EXPLAINED: [&str; 3] = ["singles", "dispatch", "all-subsets"];

/// What a sub-command prints.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
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

/// Sets up what guests run in, with a spinner unless `quiet`: the first time, packages are fetched and programs compiled.
pub fn runner(
    subject: Subject,
    core: Core,
    sysroot: &str,
    programs: &[Program],
    quiet: bool,
) -> Result<Runner> {
    let spinner = spinner(quiet);
    let told = &mut |what: &str| spinner.set_message(what.to_string());
    let runner = Runner::of(subject, core, sysroot, programs, told)?;
    spinner.finish_and_clear();
    Ok(runner)
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    if args.list {
        crate::cmd::print(&list(&case::select(&args.cases).map_err(usage)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    elsewhere::place(&args).refuse(!args.vlen.is_empty(), args.core.is_some())?;
    let quiet = args.quiet || !io::stderr().is_terminal();
    if args.target != Choice::Sim {
        let record = elsewhere::run(&args, quiet)?;
        return record.map_or(Ok(ExitCode::SUCCESS), |r| show(&args, &r));
    }
    if args.subject.len() > 1 {
        let record = several::run(&args, quiet)?;
        return record.map_or(Ok(ExitCode::SUCCESS), |r| show(&args, &r));
    }
    let (core, plan) = simulated(&args)?;
    let subject = subjects(&args)?.first().copied().unwrap_or_default();
    let Some(runner) = set_up(&args, subject, core, quiet)? else {
        return Ok(ExitCode::SUCCESS);
    };
    warn(&plan);
    let store = match &args.out {
        Some(dir) => Some(open_store(dir, &identity(&runner, &plan)?)?),
        None => None,
    };
    let record = measure(&runner, &plan, store.as_ref(), &args, quiet)?;
    let code = show(&args, &record)?;
    store.map_or(Ok(()), Store::finish)?;
    Ok(code)
}

fn warn(plan: &Plan) {
    for warning in plan.wanted.iter().flat_map(|w| &w.capset.warnings) {
        say!("warning: {warning}");
    }
}

/// Writes and prints a record; gives the exit status.
fn show(args: &Args, record: &Record) -> Result<ExitCode> {
    if let Some(dir) = &args.out {
        output::write(&dir.join("results.csv"), &record.csv())?;
        output::write(&dir.join("record.json"), &(serde_json::to_string_pretty(record)? + "\n"))?;
        output::write(&dir.join("table.md"), &table::markdown(record)?)?;
    }
    let text = match args.format {
        Format::Table => table::text(record, terminal_width())?,
        Format::Csv => record.csv(),
        Format::Json => serde_json::to_string_pretty(record)? + "\n",
        Format::Md => table::markdown(record)?,
    };
    crate::cmd::print(&text)?;
    Ok(verdict(record))
}

/// Opens the store of what is finished, and says so if there is any.
pub fn open_store(dir: &Path, identity: &Identity) -> Result<Store> {
    let (store, opened) = Store::open(dir, identity)?;
    if opened.finished > 0 {
        say!(
            "--out {}: an unfinished sweep goes on, {} configurations are done",
            dir.display(),
            opened.finished
        );
    }
    Ok(store)
}

fn programs(args: &Args) -> &'static [Program] {
    if args.kat == Kat::None { &[Program::Measure] } else { &[Program::Measure, Program::Check] }
}

/// The core, and what to measure on it.
fn simulated(args: &Args) -> Result<(Core, Plan)> {
    let core = Core::load(args.core.as_deref().unwrap_or("karu64")).map_err(usage)?;
    let plan = plan(args, &core)?;
    args.out.as_ref().map_or(Ok(()), |dir| output::prepare(dir))?;
    Ok((core, plan))
}

/// Libraries that the simulator measures.
fn subjects(args: &Args) -> Result<Vec<Subject>> {
    let parse = |s: String| Ok(s.parse().map_err(|e| Usage(format!("--subject {s}: {e}")))?);
    once(args.subject.clone()).into_iter().map(parse).collect()
}

/// The simulator with a library; `None` if nothing but the set-up was asked for.
fn set_up(args: &Args, subject: Subject, core: Core, quiet: bool) -> Result<Option<Runner>> {
    let sysroot = args.sysroot.as_deref().unwrap_or("trixie-riscv64");
    let runner = runner(subject, core, sysroot, programs(args), quiet)?;
    Ok((!args.setup_only).then_some(runner))
}

fn identity(runner: &Runner, plan: &Plan) -> Result<Identity> {
    let cases = plan.cases.iter().map(|c| c.id.clone()).collect();
    let vectors = plan.gate.as_ref().map_or("none".into(), Gate::id);
    runner.identity(TOOL, cases, plan.bytes.clone(), vectors)
}

/// The cases, family by family.
fn list(cases: &[case::Case]) -> String {
    let mut text = String::new();
    let mut family = String::new();
    for c in cases {
        if c.family != family {
            text += &format!("{}{}\n", if family.is_empty() { "" } else { "\n" }, c.family);
            family = c.family.clone();
        }
        let operations: Vec<_> = c.operations.iter().map(|o| o.name()).collect();
        let when = if c.on_demand { " Takes minutes: not in all and pkey." } else { "" };
        text += &format!("  {:<20} {:<22} {}{when}\n", c.id, operations.join(" "), c.why);
    }
    text
}

fn measure(
    runner: &Runner,
    plan: &Plan,
    store: Option<&Store>,
    args: &Args,
    quiet: bool,
) -> Result<Record> {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(plan.len() as u64) };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} configurations {elapsed} {msg}")
        .context("the template is fixed")?;
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    let swept = sweep::run(runner, plan, store, &|| bar.inc(1))?;
    let speed = if args.speed {
        bar.set_message("openssl speed");
        speed::measure(runner, plan, &swept.rows, &|| bar.tick())?
    } else {
        Vec::new()
    };
    bar.finish_and_clear();
    let capsets: Vec<CapSet> = plan.wanted.iter().map(|w| w.capset.clone()).collect();
    // Of what a mask leaves out, an extension of the hart cannot be told.
    let modelled = swept.target.kind == Kind::Modelled;
    let explained =
        modelled && (args.explain || args.caps.iter().any(|c| EXPLAINED.contains(&c.as_str())));
    Ok(Record {
        tool: TOOL.into(),
        command: std::env::args().skip(1).collect(),
        machine: Host::this(),
        method: method(swept.target.kind).into(),
        builds: Vec::new(),
        target: swept.target,
        packages: runner.packages().to_vec(),
        driver: runner.driver_id().into(),
        self_check: swept.self_check,
        vectors: plan.gate.as_ref().map_or(0, Gate::len),
        without_vectors: without_vectors(plan),
        configurations: swept.configurations,
        fits: fit::fits(&swept.rows),
        explanations: if explained {
            explain::explanations(&swept.rows, &capsets, &rules(plan)?)
        } else {
            Vec::new()
        },
        speed,
        rows: swept.rows,
    })
}

/// Cases of which the gate had nothing to check.
fn without_vectors(plan: &Plan) -> Vec<String> {
    let unchecked = plan.gate.iter().flat_map(Gate::unchecked);
    unchecked.filter_map(|i| Some(plan.cases.get(i)?.id.clone())).collect()
}

/// 1 if an answer is wrong, the counter miscounts or the library does not do as it was told; says what, on standard error.
fn verdict(record: &Record) -> ExitCode {
    let mut failed = false;
    if record.self_check != "exact" {
        say!("self-check of the instruction counter: {}", record.self_check);
        failed = true;
    }
    for what in &record.target.warnings {
        say!("warning: {what}");
    }
    for c in &record.configurations {
        if !c.unchanged.is_empty() {
            say!(
                "capability set {}: no other path is measured for {}, though they ask for what it lacks",
                c.capset,
                c.unchanged.join(", ")
            );
        }
        let Some(what) = &c.disagreement else { continue };
        say!("capability set {} at VLEN {}: {what}", c.capset, c.vlen);
        // A library that was told nothing, or what the user wrote, is shown as it is.
        failed |= c.capstring.is_some() && !c.verbatim;
    }
    for r in record.rows.iter().filter(|r| !r.passed()) {
        say!("{} {} at VLEN {} with {}: {}", r.case, r.direction, r.vlen, r.capset, r.answers);
        failed = true;
    }
    if failed { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

/// What the dispatch asks for, by case.
fn rules(plan: &Plan) -> Result<explain::Rules> {
    let dispatch = Dispatch::load()?;
    Ok(plan.cases.iter().map(|c| (c.id.clone(), dispatch.asked(c))).collect())
}

/// Whether builds are set beside each other, as the published arm64 comparison does.
fn compares_builds(args: &Args) -> bool {
    args.target != Choice::Sim && args.subject.len() > 1
}

/// The sizes that were asked for, or the usual ones.
fn sizes(args: &Args) -> Result<Vec<usize>> {
    if !args.bytes.is_empty() {
        return Ok(once(args.bytes.clone()));
    }
    Ok(if compares_builds(args) {
        published::arm64()?.sizes
    } else {
        vec![published::KARU64_BYTES]
    })
}

fn cases(args: &Args) -> Result<Vec<Case>> {
    let usual: &[&str] =
        if compares_builds(args) { &[published::ARM64_CASE, "published"] } else { &["published"] };
    let usual: Vec<String> = usual.iter().map(|s| s.to_string()).collect();
    let names = if args.cases.is_empty() { &usual } else { &args.cases };
    let cases = case::select(names).map_err(usage)?;
    for bytes in &args.bytes {
        if let Some((case, what)) = cases.iter().find_map(|c| Some((c, c.takes(*bytes).err()?))) {
            return Err(Usage(format!(
                "--bytes {bytes}: {} ({}) takes {what} bytes; leave it out, or choose other sizes",
                case.id, case.title
            ))
            .into());
        }
    }
    Ok(cases)
}

/// The sets that were asked for, or the usual ones.
fn caps(args: &Args, usual: &[&str]) -> Vec<String> {
    let usual = usual.iter().map(|s| s.to_string());
    if args.caps.is_empty() { usual.collect() } else { args.caps.clone() }
}

fn plan(args: &Args, core: &Core) -> Result<Plan> {
    let cases = cases(args)?;
    let caps = caps(args, &["scalar", "published", "auto", "full"]);
    let wanted = capset::expand(&caps, &cases, &core.isa).map_err(usage)?;
    let wanted = match args.explain {
        true => capset::explained(wanted, &cases, &core.isa)?,
        false => wanted,
    };
    if wanted.is_empty() {
        return Err(Usage("--caps: no capability set".into()).into());
    }
    let vlens = if args.vlen.is_empty() { vec![core.vlen] } else { args.vlen.clone() };
    let gate = gate(args, &cases)?;
    Ok(Plan { cases, wanted, vlens: once(vlens), bytes: sizes(args)?, gate, mix: args.mix })
}

fn gate(args: &Args, cases: &[Case]) -> Result<Option<Gate>> {
    Ok(match args.kat {
        Kat::None if args.vectors.is_some() => {
            return Err(Usage("--kat none: --vectors is of no use with it".into()).into());
        }
        Kat::None => None,
        depth => {
            let all = depth == Kat::All;
            let gate = Gate::new(cases, all, args.vectors.as_deref()).map_err(usage)?;
            if let Some(dir) = &args.vectors {
                for case in gate.unchecked().filter_map(|i| cases.get(i)) {
                    say!(
                        "warning: --vectors {}: no vector there is of {}: its figures stand on the case's own answers",
                        dir.display(),
                        case.id
                    );
                }
            }
            Some(gate)
        }
    })
}

/// Each value once, where it first stands: `64,64` measures one size.
pub fn once<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    values.into_iter().fold(Vec::new(), |mut seen, v| {
        if !seen.contains(&v) {
            seen.push(v);
        }
        seen
    })
}

/// The width to fold the table to: only on a terminal.
pub fn terminal_width() -> Option<u16> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(columns.max(80))
}
