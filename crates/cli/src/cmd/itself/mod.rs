//! `capvec self`: what concerns the program itself.

mod check;
mod pages;

use anyhow::Result;
use clap_complete::Shell;
use std::path::PathBuf;
use std::process::ExitCode;

/// Check that capvec works here; print shell completions and manual pages
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec self check\n  \
    capvec self completions bash > ~/.local/share/bash-completion/completions/capvec\n  \
    capvec self man ~/.local/share/man/man1")]
pub struct Args {
    #[command(subcommand)]
    command: Sub,
}

#[derive(clap::Subcommand)]
enum Sub {
    /// Check that capvec works on this machine: engines, sandbox, store, sysroot
    ///
    /// Exit status 1 if something does not work. What is fetched when it is first needed, such as a sysroot, may be missing.
    Check,
    /// Print the completions of a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write a manual page for each sub-command to a directory
    Man {
        /// The directory, which is made if it does not exist
        dir: PathBuf,
    },
}

/// Runs the sub-command; `program` is the command line.
pub fn run(args: Args, program: clap::Command) -> Result<ExitCode> {
    match args.command {
        Sub::Check => check::run(),
        Sub::Completions { shell } => pages::completions(shell, program),
        Sub::Man { dir } => pages::manual(&dir, program),
    }
}
