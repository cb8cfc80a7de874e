//! `capvec self completions` and `capvec self man`.

use crate::cmd::{print_as_it_is, usage};
use anyhow::{Context, Result};
use capvec_text::escape;
use clap::Command;
use clap_complete::Shell;
use std::path::Path;
use std::process::ExitCode;

/// Prints the completions of a shell.
pub fn completions(shell: Shell, mut program: Command) -> Result<ExitCode> {
    let name = program.get_name().to_string();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut text);
    print_as_it_is(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes `capvec.1`, and `capvec-NAME.1` for each sub-command.
pub fn manual(dir: &Path, program: Command) -> Result<ExitCode> {
    let fail = || format!("cannot write to {}", escape::path(dir));
    std::fs::create_dir_all(dir).with_context(fail).map_err(usage)?;
    clap_mangen::generate_to(program, dir).with_context(fail).map_err(usage)?;
    Ok(ExitCode::SUCCESS)
}
