//! The program `capvec`.

mod cmd;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures, verifies and explores cryptographic acceleration on processors.
///
/// Stock software runs on a modelled RISC-V core; instructions are counted exactly, answers are checked, and
/// every figure states whether it is modelled, emulated or real.
#[derive(Parser)]
#[command(
    name = "capvec",
    version,
    after_help = "Exit status: 0 done, 1 a check failed, 2 usage error, 3 another failure (a connection, a download, \
        a file); `capvec run` returns the guest's exit status.\n\
        Results go to standard output, everything else to standard error."
)]
enum Capvec {
    Bench(cmd::bench::Args),
    Build(cmd::build::Args),
    Caps(cmd::caps::Args),
    Doctor(cmd::doctor::Args),
    Kat(cmd::kat::Args),
    Report(cmd::report::Args),
    Compare(cmd::compare::Args),
    Sweep(cmd::sweep::Args),
    Cache(cmd::cache::Args),
    Run(cmd::run::Args),
    Annotate(cmd::annotate::Args),
    Matrix(cmd::matrix::Args),
    Measure(cmd::own_code::measure::Args),
    Check(cmd::own_code::check::Args),
    Ct(cmd::ct::Args),
    Explore(cmd::explore::Args),
    Rtl(cmd::rtl::Args),
    Isa(cmd::isa::Args),
    Cores(cmd::cores::Args),
    Sysroot(cmd::sysroot::Args),
    #[command(name = "self")]
    Itself(cmd::itself::Args),
}

/// Flags that take names as text, or files by their path.
const NAMES_OR_FILES: [&str; 5] = ["--core", "--subject", "--library", "--cases", "--bind"];

/// Names the argument that is not UTF-8: clap does not.
fn not_text(arguments: impl Iterator<Item = OsString>) -> String {
    let mut before = String::new();
    for argument in arguments {
        if let Some(text) = argument.to_str() {
            before = text.into();
            continue;
        }
        let flag = if before.starts_with('-') { format!("{before} ") } else { String::new() };
        let remedy = match NAMES_OR_FILES.contains(&before.as_str()) {
            true => "; a file can be given by a link whose name is UTF-8",
            false => "",
        };
        return format!("{flag}{argument:?}: not UTF-8, but must be{remedy}");
    }
    "an argument is not UTF-8".into()
}

fn main() -> ExitCode {
    // Turns a write beyond the file size limit (`ulimit -f`) into an error, so that the signal does not kill the
    // program.
    let _ = signal_hook::flag::register(signal_hook::consts::signal::SIGXFSZ, Arc::default());
    let line = cmd::rtl::of_bench(std::env::args_os());
    let capvec = Capvec::try_parse_from(line).unwrap_or_else(|error| {
        if error.kind() == ErrorKind::InvalidUtf8 {
            cmd::say!("{}", not_text(std::env::args_os().skip(1)));
            std::process::exit(2);
        }
        error.exit()
    });
    let result = match capvec {
        Capvec::Bench(args) => cmd::bench::run(args).map_err(cmd::resumable),
        Capvec::Build(args) => cmd::build::run(args),
        Capvec::Caps(args) => cmd::caps::run(args),
        Capvec::Doctor(args) => cmd::doctor::run(args),
        Capvec::Kat(args) => cmd::kat::run(args).map_err(cmd::resumable),
        Capvec::Report(args) => cmd::report::run(args),
        Capvec::Compare(args) => cmd::compare::run(args),
        Capvec::Sweep(args) => cmd::sweep::run(args),
        Capvec::Cache(args) => cmd::cache::run(args),
        Capvec::Run(args) => cmd::run::run(args),
        Capvec::Annotate(args) => cmd::annotate::run(args),
        Capvec::Matrix(args) => cmd::matrix::run(args),
        Capvec::Measure(args) => cmd::own_code::measure::run(args),
        Capvec::Check(args) => cmd::own_code::check::run(args),
        Capvec::Ct(args) => cmd::ct::run(args),
        Capvec::Explore(args) => cmd::explore::run(args),
        Capvec::Rtl(args) => cmd::rtl::run(args),
        Capvec::Isa(args) => cmd::isa::run(args),
        Capvec::Cores(args) => cmd::cores::run(args),
        Capvec::Sysroot(args) => cmd::sysroot::run(args),
        Capvec::Itself(args) => cmd::itself::run(args, Capvec::command()),
    };
    // `run`, `annotate` and `ct` report it themselves, at once.
    if let Some(e) = capvec_guest::unconfined() {
        cmd::say!("{e}");
    }
    result.unwrap_or_else(|error| {
        cmd::say!("{error:#}");
        ExitCode::from(cmd::status(&error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `--help` puts spaces between several defaults, but they must be typed with commas.
    #[test]
    fn help_shows_the_default_of_a_list_as_it_is_typed() {
        let mut commands = vec![Capvec::command()];
        let mut lists = 0;
        while let Some(command) = commands.pop() {
            for list in command.get_arguments().filter(|arg| arg.get_value_delimiter().is_some()) {
                let defaults = list.get_default_values();
                let name = command.get_name();
                assert!(defaults.len() < 2, "{name} --{}: {defaults:?}", list.get_id());
                lists += defaults.len();
            }
            commands.extend(command.get_subcommands().cloned());
        }
        assert!(lists > 9, "{lists}");
    }
}
