//! `capvec ct`: whether a program's time and memory accesses depend on secrets.

use crate::cmd::run::guest::{self, Guest, machine};
use crate::cmd::{Usage, print, print_as_it_is, say};
use anyhow::{Context, Result};
use capvec_ct::{Checker, Marks, Report, json, text};
use capvec_linux::{Output, Status};
use clap::ValueEnum;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Check that a program's time and memory accesses do not depend on secrets
///
/// Runs the program like `capvec run`, but on the reference interpreter, and follows every bit that depends on a secret
/// through scalar, vector and cryptographic instructions. Reports branches, addresses, vector lengths, jump targets and
/// arguments of system calls that depend on secrets, and secret operands of instructions whose time may depend on them
/// because Zkt and Zvkt do not list them. Programs mark secrets by Valgrind's client requests, as for ctgrind and TIMECOP;
/// flags mark more. docs/constant-time.md says what is checked and what is not.
#[derive(clap::Args)]
#[command(
    after_help = "The exit status is 0 if nothing was found, 1 if something was, 3 if the program did not end by itself \
    with status 0, 2 if nothing was secret or anything on the command line is wrong.\n\n\
    Examples:\n  \
    capvec ct -- ./test_with_client_requests\n  \
    capvec ct --secret key:16 --isa rv64gcv_zvkned --vlen 256 -- ./program\n  \
    capvec ct --secret-arg AES_encrypt:2:244 -- ./program\n  \
    capvec ct --secret-random --format json -- ./keygen"
)]
pub struct Args {
    /// The variable is secret from the start, or its first bytes; repeatable
    #[arg(long, value_name = "SYMBOL[:BYTES]")]
    secret: Vec<String>,
    /// What an argument points to is secret whenever the function is called; the first argument is 0; repeatable
    #[arg(long, value_name = "FUNCTION:ARG:BYTES")]
    secret_arg: Vec<String>,
    /// What is read from this file of the guest is secret; repeatable
    #[arg(long, value_name = "PATH")]
    secret_file: Vec<PathBuf>,
    /// Random bytes from the kernel are secret
    #[arg(long)]
    secret_random: bool,
    /// Format of the report; with json, the guest's output goes to standard error
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    #[command(flatten)]
    guest: Guest,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
}

fn marks(args: &Args) -> Result<Marks> {
    let mut marks =
        Marks { files: args.secret_file.clone(), random: args.secret_random, ..Marks::default() };
    for text in &args.secret {
        marks.symbol(text).map_err(|e| Usage(format!("--secret {e}")))?;
    }
    for text in &args.secret_arg {
        marks.argument(text).map_err(|e| Usage(format!("--secret-arg {e}")))?;
    }
    Ok(marks)
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let guest = &args.guest;
    let core = guest.core()?;
    let mut options = guest::options(&guest.launch, &core)?;
    let checker = Checker::new(marks(&args)?, &options.config)
        .context("no host memory for the shadow of the guest's memory")?;
    checker.vary(&core.data_dependent);
    options.profile = Some(checker.follower());
    if args.format == Format::Json {
        options.stdout = Output::Capture;
    }
    let unchecked = capvec_jit::engine(capvec_jit::Options::default(), None).ok();
    let mut machine = match machine(options, checker.engine(unchecked)) {
        Ok(machine) => machine,
        Err(code) => return Ok(code),
    };
    let exit = machine.run();
    // A reader that closes early is not an error.
    let _ = std::io::stderr().lock().write_all(&exit.stdout);
    let report = checker.report();
    match args.format {
        Format::Table => print(&text(&report))?,
        Format::Json => print_as_it_is(&json(&report)?)?,
    }
    code(&report, exit.status)
}

fn code(report: &Report, status: Status) -> Result<ExitCode> {
    if let Some(name) = report.unresolved.first() {
        let text = format!(
            "{name}: no program or library that ran has this symbol; check the name, or use one that is not stripped"
        );
        return Err(Usage(text).into());
    }
    if !report.findings.is_empty() {
        return Ok(ExitCode::from(1));
    }
    if report.incomplete {
        say!("the host had no memory to follow all of the guest's; the check is incomplete");
        return Ok(ExitCode::from(3));
    }
    if status.code() != 0 {
        say!("the program ended with status {}, so only a part of it was checked", status.code());
        return Ok(ExitCode::from(3));
    }
    if !report.marked {
        let text = "nothing was secret in this run; mark secrets with --secret, --secret-arg, --secret-file, \
            --secret-random or client requests";
        return Err(Usage(text.into()).into());
    }
    Ok(ExitCode::SUCCESS)
}
