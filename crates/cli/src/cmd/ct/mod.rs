//! `capvec ct`: whether a program's time and memory accesses depend on secrets.

mod bare;
mod cases;
mod marks;

use crate::cmd::core_choice::CoreName;
use crate::cmd::core_flags::{Changes, CoreFlags};
use crate::cmd::flags::{CORE_HELP, subjects, vlen, with_default};
use crate::cmd::run::guest::{self, Launch, machine};
use crate::cmd::{Usage, print, print_as_it_is, say};
use anyhow::{Context, Result};
use capvec_ct::{Checker, Gap, Report, Run, Suppressions, joined, json, sarif, text};
use capvec_isa::{Ext, ExtSet};
use capvec_linux::Output;
use capvec_targets::{CORE, SubjectName};
use capvec_text::suggest;
use clap::ValueEnum;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Check that a program's time and memory accesses do not depend on secrets
///
/// Runs the program like `capvec run`, but on the reference interpreter, and follows every bit that depends on a secret
/// through scalar, vector and cryptographic instructions. Reports branches, addresses, vector lengths, jump targets and
/// arguments of system calls that depend on secrets, and secret operands of instructions whose time may depend on them
/// because Zkt and Zvkt do not list them. Programs mark secrets by Valgrind's client requests, as for ctgrind and TIMECOP;
/// flags mark more. With --cases, the cases of `capvec bench` run in every configuration, with their secrets marked by rule.
/// docs/constant-time.md says what is checked and what is not.
#[derive(clap::Args)]
#[command(
    mut_args(|a| match OF_CASES.contains(&a.get_id().as_str()) {
        true => a,
        false => a.conflicts_with("cases"),
    }),
    mut_arg("program", |a| a.required(false).required_unless_present("cases")),
    after_help = "The exit status is 0 if nothing was found, 1 if something was, and otherwise 3 if not everything was checked: \
    the program did not end by itself with status 0, or a flag that marks secrets or looks for leftovers had no effect. It is 2 if \
    nothing was secret or anything on the command line is wrong, and 126 or 127 if the program cannot be started.\n\n\
    Examples:\n  \
    capvec ct -- ./test_with_client_requests\n  \
    capvec ct --secret key:16 --isa rv64gcv_zvkned --vlen 256 -- ./program\n  \
    capvec ct --secret-arg AES_encrypt:2:244 -- ./program\n  \
    capvec ct --secret-random --format json -- ./keygen\n  \
    capvec ct --declassify verify --suppress harmless.toml --format sarif -- ./program\n  \
    capvec ct --leftovers decrypt -- ./program\n  \
    capvec ct --bare --isa rv32imac_zicsr_zbkb --secret key -- firmware.elf\n  \
    capvec ct --cases symmetric --subject capvec --caps scalar,dispatch,full --vlen 128,256,512"
)]
pub struct Args {
    /// Treat this variable, or its first BYTES, as secret from the start; repeatable
    #[arg(long, value_name = "SYMBOL[:BYTES]")]
    secret: Vec<String>,
    /// Treat the memory at this argument (0 is the first) as secret whenever the function is called; repeatable
    #[arg(long, value_name = "FUNCTION:ARG:BYTES")]
    secret_arg: Vec<String>,
    /// Treat what is read from this file of the guest as secret; relative paths begin at the guest's current directory; repeatable
    #[arg(long, value_name = "PATH")]
    secret_file: Vec<PathBuf>,
    /// Treat random bytes from the kernel as secret
    #[arg(long)]
    secret_random: bool,
    /// Treat the function's result, or the memory at this argument when it is called and when it returns, as public; repeatable
    #[arg(long, value_name = "FUNCTION[:ARG:BYTES]")]
    declassify: Vec<String>,
    /// Report secrets that the function leaves in registers, on the stack or in freed memory when it returns; repeatable
    #[arg(long, value_name = "FUNCTION")]
    leftovers: Vec<String>,
    /// Assume that the time of these extensions' instructions does not depend on operands, although neither Zkt nor Zvkt lists all of
    /// them, such as zba,zbb
    #[arg(long, value_name = "EXT", value_delimiter = ',', value_parser = extension)]
    data_independent: Vec<Ext>,
    /// File with findings that are harmless, each with its reason
    #[arg(long, value_name = "FILE")]
    suppress: Option<PathBuf>,
    /// Format of the report; with json and sarif, the guest's output goes to standard error
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    #[arg(long, value_parser = CoreName, hide_possible_values = true, help = with_default(CORE_HELP, CORE))]
    core: Option<String>,
    /// ISA of the program's hart, such as rv64gcv_zvkned or rva23u64; it must also name the extensions of --isa-file [default: the
    /// core's]
    #[arg(long)]
    isa: Option<String>,
    /// Vector register length in bits; with --cases, several [default: the core's]
    #[arg(long, value_delimiter = ',', value_parser = vlen)]
    vlen: Vec<u32>,
    #[command(flatten)]
    changes: Changes,
    /// Check these cases instead of a program, under both policies for agnostic elements; named as for `capvec bench`
    #[arg(long, value_delimiter = ',')]
    cases: Vec<String>,
    /// With --cases: capability sets, named as for `capvec bench`
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "scalar,dispatch,full",
        conflicts_with = "program"
    )]
    caps: Vec<String>,
    #[arg(long, default_value_t = SubjectName::default(), conflicts_with = "program",
        help = format!("With --cases, the library: {}", subjects(false)))]
    subject: SubjectName,
    /// With --cases: run each operation with this many random keys and inputs on the core model; the number of cycles must be
    /// the same each time
    #[arg(long, value_name = "N", conflicts_with_all = ["suppress", "program"], value_parser = clap::value_parser!(u32).range(2..=10_000))]
    timing: Option<u32>,
    /// With --cases: show no progress
    #[arg(short, long, conflicts_with = "program")]
    quiet: bool,
    /// Check an ELF file of the host without an operating system, on RV64 or RV32, as `capvec run --bare` runs it
    #[arg(long, conflicts_with_all = ["sysroot", "bind", "no_cwd", "env", "clock", "net", "quantum", "verbose", "secret_file",
        "secret_random"])]
    bare: bool,
    #[command(flatten)]
    launch: Launch,
}

/// The flags that have a meaning with --cases; any other one is refused.
const OF_CASES: [&str; 10] = [
    "cases", "subject", "caps", "core", "vlen", "timing", "suppress", "format", "quiet", "sysroot",
];

impl Args {
    /// The core of a program.
    fn core(&self) -> Result<capvec_timing::Core> {
        let [vlen] = match self.vlen[..] {
            [] => [None],
            [one] => [Some(one)],
            _ => {
                let text = "--vlen: a program runs with one length; several are for --cases";
                return Err(Usage(text.into()).into());
            }
        };
        CoreFlags::of(self.core.clone(), self.isa.clone(), vlen).core(&self.changes)
    }
}

/// The extension of this name.
fn extension(name: &str) -> Result<Ext, String> {
    let unknown = || format!("no such extension{}", suggest::hint(name, Ext::all().map(Ext::name)));
    Ext::from_name(name).ok_or_else(unknown)
}

/// Gives the checker what the flags and the core say about the time of instructions.
fn assume(args: &Args, core: &capvec_timing::Core, checker: &Checker) {
    checker.vary(&core.data_dependent);
    checker.accept(ExtSet::of(&args.data_independent).closed());
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
    Sarif,
}

/// The suppressions of the file.
fn suppressions(file: Option<&Path>) -> Result<Suppressions> {
    let Some(file) = file else { return Ok(Suppressions::default()) };
    let shown = file.display();
    let text =
        capvec_text::file::read(file).map_err(|e| Usage(format!("--suppress {shown}: {e}")))?;
    Suppressions::parse(&text).map_err(|e| Usage(format!("--suppress {shown}: {e}")).into())
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let suppressions = suppressions(args.suppress.as_deref())?;
    if !args.cases.is_empty() {
        return cases::run(&args, &suppressions);
    }
    if args.launch.limits.asks_for_statistics() {
        let text = "--stats: capvec ct counts nothing; use capvec run --stats";
        return Err(Usage(text.into()).into());
    }
    let core = args.core()?;
    if args.bare {
        return bare::run(&args, &core, &suppressions);
    }
    let mut options = guest::options(&args.launch, &core)?;
    let cwd = Path::new(OsStr::from_bytes(&options.cwd));
    let checker = Checker::new(marks::of(&args, cwd)?, &options.config)
        .context("no host memory for the shadow of the guest's memory")?;
    assume(&args, &core, &checker);
    options.profile = Some(checker.follower());
    if args.format != Format::Table {
        options.stdout = Output::Capture;
    }
    let unchecked = capvec_jit::engine(capvec_jit::Options::default(), None).ok();
    let mut machine = match machine(options, checker.engine(unchecked)) {
        Ok(machine) => machine,
        Err(code) => return Ok(code),
    };
    checker.follow_links(&|path| {
        machine.link(path.as_os_str().as_bytes()).map(|target| OsString::from_vec(target).into())
    });
    let exit = machine.run();
    // A reader that closes early is not an error.
    let _ = std::io::stderr().lock().write_all(&exit.stdout);
    show(&args, &checker, exit.status.code(), &suppressions)
}

/// Prints what was found in a program that ended with this status, and returns the exit status.
fn show(
    args: &Args,
    checker: &Checker,
    status: u8,
    suppressions: &Suppressions,
) -> Result<ExitCode> {
    let mut report = checker.report();
    report.suppress(suppressions);
    report.status = status;
    let gaps = report.gaps();
    match args.format {
        Format::Table => print(&text(&report, &gaps))?,
        Format::Json => print_as_it_is(&json(&report)?)?,
        Format::Sarif => print_sarif(&report, (!gaps.is_empty()).then(|| joined(&gaps)))?,
    }
    code(&report, &gaps)
}

/// `gap`: what was not checked.
fn print_sarif(report: &Report, gap: Option<String>) -> Result<()> {
    let root = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let run = Run { version: env!("CARGO_PKG_VERSION"), root: &root, gap };
    print_as_it_is(&sarif(report, &run)?)
}

/// The exit status, with the remedy for what was not checked.
fn code(report: &Report, gaps: &[Gap]) -> Result<ExitCode> {
    let all = joined(gaps);
    let void = gaps.iter().find(|gap| !gap.is_partial());
    match void {
        Some(Gap::Unresolved(_)) => {
            let remedy = "check the name, or use a program that is not stripped";
            Err(Usage(format!("{all}; {remedy}")).into())
        }
        Some(Gap::NoSecret(flags)) if flags.is_empty() => {
            let flags = "--secret, --secret-arg, --secret-file, --secret-random or client requests";
            Err(Usage(format!("{all}; mark secrets with {flags}")).into())
        }
        Some(_) => Err(Usage(all).into()),
        None if !report.findings.is_empty() => Ok(ExitCode::from(1)),
        None if gaps.is_empty() => Ok(ExitCode::SUCCESS),
        None => {
            say!("not everything was checked: {all}");
            Ok(ExitCode::from(3))
        }
    }
}
