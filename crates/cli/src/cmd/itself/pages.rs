//! `capvec self completions` and `capvec self man`.

use crate::cmd::{print_as_it_is, usage};
use anyhow::{Context, Result};
use capvec_text::escape;
use capvec_timing::Core;
use clap::Command;
use clap_complete::Shell;
use std::path::Path;
use std::process::ExitCode;

/// Prints the completions of a shell.
pub fn completions(shell: Shell, mut program: Command) -> Result<ExitCode> {
    let name = program.get_name().to_string();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut program, name, &mut text);
    print_as_it_is(&cores_or_files(shell, &String::from_utf8_lossy(&text)))?;
    Ok(ExitCode::SUCCESS)
}

/// Completions that also offer files where a core is to be named. Bash offers them by itself if no name fits; the others would offer
/// the shipped cores alone.
fn cores_or_files(shell: Shell, text: &str) -> String {
    let names = Core::names().collect::<Vec<_>>();
    match shell {
        Shell::Zsh => {
            let names = names.join(" ");
            let function = format!(
                "(( $+functions[_capvec_cores] )) ||\n_capvec_cores() {{\n    \
                 _alternative 'cores:core:({names})' 'files:file:_files'\n}}\n\n"
            );
            let start = "if [ \"$funcstack[1]\" = ";
            text.replace(&format!(":({names})'"), ":_capvec_cores'")
                .replace(start, &(function + start))
        }
        Shell::Fish => {
            let names = names.iter().map(|name| format!("{name}\\t''")).collect::<Vec<_>>();
            let list = format!("-a \"{}\"", names.join("\n"));
            text.replace(&format!("-r -f {list}"), &format!("-r -F {list}"))
        }
        _ => text.into(),
    }
}

/// Writes `capvec.1`, and `capvec-NAME.1` for each sub-command.
pub fn manual(dir: &Path, program: Command) -> Result<ExitCode> {
    let fail = || format!("cannot write to {}", escape::path(dir));
    std::fs::create_dir_all(dir).with_context(fail).map_err(usage)?;
    clap_mangen::generate_to(program, dir).with_context(fail).map_err(usage)?;
    Ok(ExitCode::SUCCESS)
}
