//! `capvec doctor`: is cryptography accelerated here, and if not, why.

mod scan;

use crate::cmd::flags::{Format, terminal_width, vlen};
use crate::cmd::place::Place;
use crate::cmd::setup::spinner;
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result};
use capvec_bench::case::{self, Case};
use capvec_bench::run::{Program, Runner};
use capvec_bench::subject::Subject;
use capvec_bench::target::{Arch, Choice, Sim};
use capvec_doctor::{Request, Shown};
use capvec_isa::{Ext, ExtSet, isa_string};
use capvec_linux::Concealed;
use capvec_timing::Core;
use std::path::PathBuf;
use std::process::ExitCode;

/// What is examined if nothing is named.
const USUAL: [&str; 13] = [
    "aes-128-gcm",
    "aes-256-gcm",
    "aes-128-cbc",
    "aes-128-ctr",
    "aes-128-xts",
    "sha1",
    "sha256",
    "sha512",
    "sha3-256",
    "chacha20-poly1305",
    "poly1305",
    "sm3",
    "sm4-ctr",
];

/// The variables that libraries are told by.
const VARIABLES: [&str; 3] = ["OPENSSL_riscvcap", "OPENSSL_armcap", "OPENSSL_ia32cap"];

/// Say of each algorithm whether it is accelerated here, and if not, why, with proof, what is lost and what to do
///
/// Asks the processor (by trying an instruction of each extension), the kernel, the C library, the library and its code, then
/// runs each algorithm as it is, told to use nothing, and told of all that executes. The exit status is 1 if anything
/// is slower than it could be.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec doctor --target native\n  \
    capvec doctor --target ssh:board -v\n  \
    capvec doctor --core karu64 --isa rva23u64 --cost\n  \
    capvec doctor --hide zvkned,zvkg\n  \
    capvec doctor --env OPENSSL_riscvcap=rv64gcv_zvkned\n  \
    capvec doctor --library ./build/libcrypto.so.3\n  \
    capvec doctor --target native --program /usr/bin/ssh\n  \
    capvec doctor --package libnettle8t64\n\n\
    Verdicts: accelerated, fallback (portable code), hidden by kernel, hidden by libc, not built (the library has no code for\n\
    what executes), not detected (the library does not see what is shown), wrong (answers). docs/doctor.md explains them.")]
pub struct Args {
    /// Where to look: sim, native (this machine), qemu:ARCH, ssh:HOST (docs/targets.md)
    #[arg(long, default_value = "sim")]
    target: Choice,
    /// A libcrypto.so.3 instead of the target's own, or openssl:NAME of `capvec build`
    #[arg(long = "library", value_name = "PATH", conflicts_with_all = ["program", "package"])]
    libcrypto: Option<String>,
    /// Scan this program or library, and the shared libraries that it asks for, instead of running algorithms
    #[arg(long, value_name = "PATH", conflicts_with = "package")]
    program: Option<PathBuf>,
    /// Scan the programs and libraries of a Debian package, fetched through apt, for the target's architecture
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// Algorithms: names, families and groups of `capvec bench --list` [default: 13 usual ones]
    #[arg(long, visible_alias = "cases", value_delimiter = ',')]
    algorithms: Vec<String>,
    /// Message size in bytes
    #[arg(long, default_value_t = 16384, value_parser = clap::value_parser!(u32).range(16..=65536))]
    bytes: u32,
    /// What the library is told: OPENSSL_riscvcap=VALUE and the like [default, with --target native: the environment's]
    #[arg(long, value_name = "NAME=VALUE")]
    env: Option<String>,
    /// Core model of the simulator: a name of `capvec cores list`, or a file [default: karu64]
    #[arg(long)]
    core: Option<String>,
    /// What the simulator's hart executes, as rv64gcv_zvkned or rva23u64 [default: the core's]
    #[arg(long)]
    isa: Option<String>,
    /// Vector register length in bits, of sim and qemu:riscv64
    #[arg(long, value_parser = vlen)]
    vlen: Option<u32>,
    /// Extensions that the simulator's kernel does not show, though the hart has them
    #[arg(long, value_name = "EXT", value_delimiter = ',')]
    hide: Vec<String>,
    /// The simulator's kernel has no riscv_hwprobe, as Linux before 6.4
    #[arg(long)]
    no_hwprobe: bool,
    /// Also measure what each extension that the core lacks would bring; only with --target sim
    #[arg(long)]
    cost: bool,
    /// Processor that QEMU emulates, as its -cpu
    #[arg(long, value_name = "CPU")]
    qemu_cpu: Option<String>,
    /// Sysroot that the library comes from, by name, of sim and qemu [default: trixie-riscv64, trixie-ARCH]
    #[arg(long)]
    sysroot: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// What shows each verdict
    #[arg(short, long)]
    verbose: bool,
    /// No progress
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    refuse(&args)?;
    let shown = match (&args.program, &args.package) {
        (Some(path), _) => scan::program(&place(&args), path)?,
        (_, Some(name)) => scan::package(&place(&args), name, args.quiet)?,
        _ => diagnose(&args)?,
    };
    let text = match args.format {
        Format::Table => shown.text(args.verbose, terminal_width()),
        Format::Md => shown.markdown(args.verbose),
        Format::Csv => shown.csv(),
        Format::Json => serde_json::to_string_pretty(&shown)? + "\n",
    };
    crate::cmd::print(&text)?;
    Ok(if shown.is_slower() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Flags that only mean something elsewhere.
fn refuse(args: &Args) -> Result<()> {
    let sim = args.target == Choice::Sim;
    let scans = args.program.is_some() || args.package.is_some();
    let modelled = args.core.is_some() || args.isa.is_some() || !args.hide.is_empty();
    let checks = [
        (
            !sim && (modelled || args.no_hwprobe),
            "--core, --isa, --hide, --no-hwprobe: only with --target sim",
        ),
        (!sim && args.cost, "--cost: only with --target sim, whose core can have what it lacks"),
        (scans && args.cost, "--cost: leave out --program and --package"),
        (
            scans && matches!(args.target, Choice::Ssh(_)),
            "--program, --package: copy the file here and scan it with --target native",
        ),
    ];
    match checks.iter().find(|(wrong, _)| *wrong) {
        Some((_, what)) => Err(Usage((*what).into()).into()),
        // Files may be looked at in any sysroot.
        None if scans => Place { sysroot: None, ..place(args) }.refuse(args.vlen.is_some(), false),
        None => place(args).refuse(args.vlen.is_some(), false),
    }
}

/// The target without its library, where it is no simulator.
fn place(args: &Args) -> Place<'_> {
    Place {
        target: &args.target,
        sysroot: args.sysroot.as_deref(),
        qemu_cpu: args.qemu_cpu.as_deref(),
    }
}

fn cases(args: &Args) -> Result<Vec<Case>> {
    let usual = USUAL.map(String::from);
    let names = if args.algorithms.is_empty() { &usual[..] } else { &args.algorithms };
    let cases = case::select_by("--algorithms", names).map_err(usage)?;
    for c in &cases {
        c.takes(args.bytes as usize).map_err(|what| {
            Usage(format!("--bytes {}: {} takes {what} bytes", args.bytes, c.id))
        })?;
    }
    Ok(cases)
}

/// What the library is told, by `--env` or, natively, by the environment that this program was started in.
fn told(args: &Args, arch: Arch) -> Result<Option<String>> {
    let variable = arch.variable();
    match args.env.as_deref().map(|e| e.split_once('=')) {
        Some(Some((name, value))) if name == variable => Ok(Some(value.into())),
        Some(Some((name, _))) if VARIABLES.contains(&name) => {
            Err(Usage(format!("--env {name}: on {} it is {variable}", arch.name())).into())
        }
        Some(_) => Err(Usage(format!("--env: {variable}=VALUE")).into()),
        None if args.target == Choice::Native => Ok(std::env::var(variable).ok()),
        None => Ok(None),
    }
}

/// The directory of the library that `--library` names: its drivers look for it there by its name.
fn library(args: &Args) -> Result<Option<PathBuf>> {
    let Some(name) = &args.libcrypto else { return Ok(None) };
    let dir = match name.strip_prefix("openssl:") {
        Some(build) => place(args).build("--library", build)?.dir,
        None => directory(name)?,
    };
    place(args).fits("--library", name, &dir)?;
    Ok(Some(dir))
}

fn directory(name: &str) -> Result<PathBuf> {
    let path = std::path::absolute(name).with_context(|| format!("--library {name}"))?;
    let dir = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
    match dir {
        Some(dir) if dir.join("libcrypto.so.3").is_file() => Ok(dir.into()),
        _ => {
            let what = "no libcrypto.so.3 there; programs load it by that name, so call a copy or a link so";
            Err(Usage(format!("--library {name}: {what}")).into())
        }
    }
}

fn core(args: &Args) -> Result<Core> {
    let mut core = Core::load(args.core.as_deref().unwrap_or("karu64")).map_err(usage)?;
    if let Some(isa) = &args.isa {
        core.isa = isa.parse().map_err(|e| Usage(format!("--isa {isa}: {e}")))?;
        if core.isa.xlen != 64 {
            return Err(Usage(format!("--isa {isa}: the library is a 64-bit one")).into());
        }
    }
    core.vlen = args.vlen.unwrap_or(core.vlen);
    Ok(core)
}

fn concealed(args: &Args) -> Result<Concealed> {
    let mut exts = ExtSet::EMPTY;
    for name in &args.hide {
        exts = exts.union(isa_string::word(name, name).map_err(|e| Usage(format!("--hide: {e}")))?);
    }
    if exts.has(Ext::V) {
        let what = "--hide v: a kernel that does not show V does not let programs use it; leave it out of --isa";
        return Err(Usage(what.into()).into());
    }
    Ok(Concealed { exts, hwprobe: args.no_hwprobe })
}

/// The target with what tries instructions, and with this library.
fn runner(
    args: &Args,
    subject: Subject,
    library: Option<PathBuf>,
    told: &mut dyn FnMut(&str),
) -> Result<Runner> {
    let programs: &[Program] = match subject {
        Subject::OpenSsl => &[Program::Measure, Program::Trial],
        Subject::Capvec | Subject::Provider => &[Program::Measure],
    };
    if args.target != Choice::Sim {
        return place(args).runner(programs, library, told);
    }
    let sysroot = args.sysroot.as_deref().unwrap_or("trixie-riscv64");
    let sim = Sim::of(subject, core(args)?, sysroot, programs, told)?;
    let kernel = if subject == Subject::OpenSsl { concealed(args)? } else { Concealed::default() };
    Ok(Runner::at(sim.with_library(library).concealing(kernel)))
}

fn diagnose(args: &Args) -> Result<Shown> {
    let library = library(args)?;
    let cases = cases(args)?;
    let bar = spinner(args.quiet);
    let progress = &mut |what: &str| bar.set_message(what.to_string());
    let subject = runner(args, Subject::OpenSsl, library.clone(), progress)?;
    let arch = subject.target().arch();
    let vlen = match args.target {
        Choice::Sim => subject.vlen(),
        _ => place(args).vlens(args.vlen.as_slice()).first().copied().unwrap_or(0),
    };
    let request = Request { cases, bytes: args.bytes as usize, vlen, told: told(args, arch)? };
    progress("running the algorithms");
    let mut diagnosis = capvec_doctor::examine(&subject, &request)?;
    // What another library reaches on the same target: the target's own, then this project's.
    if library.is_some() && diagnosis.findings.iter().any(|f| f.wants_reference()) {
        match runner(args, Subject::OpenSsl, None, progress) {
            Ok(own) => diagnosis = diagnosis.beside(&own, &request, "the target's own library")?,
            Err(e) => say!("the target's own library is not measured: {e:#}"),
        }
    }
    if args.target == Choice::Sim && diagnosis.findings.iter().any(|f| f.wants_reference()) {
        let other = runner(args, Subject::Capvec, None, progress)?;
        diagnosis = diagnosis.beside(&other, &request, "libcapvec")?;
    }
    let cost = match args.cost {
        true => {
            progress("measuring what extensions would bring");
            Some(capvec_doctor::cost(&subject, &request.cases, request.bytes, vlen)?)
        }
        false => None,
    };
    bar.finish_and_clear();
    for warning in &diagnosis.warnings {
        say!("warning: {warning}");
    }
    Ok(Shown { diagnosis: Some(diagnosis), cost, files: Vec::new() })
}
