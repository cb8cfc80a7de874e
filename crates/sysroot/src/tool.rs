//! Runs external programs.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::error::{Error, Result};

/// A command with a fixed language, so that its messages can be parsed, and without standard input, so that it cannot
/// prompt.
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env("LC_ALL", "C").env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    command
}

/// The error, with its remedy, for a program that could not be started.
pub(crate) fn start_error(program: &str) -> impl FnOnce(std::io::Error) -> Error {
    let tool = program.to_owned();
    move |error| match error.kind() {
        ErrorKind::NotFound => Error::NoTool { tool },
        _ => Error::Io { action: "run", path: tool.into(), error },
    }
}

/// Runs a command to completion and collects its output.
pub(crate) fn output(command: &mut Command) -> Result<Output> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.output().map_err(start_error(&program))
}

/// Runs a command that works on `path`. An error carries the last line of its standard error.
pub(crate) fn run_on(path: &Path, tool: &'static str, command: &mut Command) -> Result<Vec<u8>> {
    let result = output(command)?;
    if result.status.success() {
        return Ok(result.stdout);
    }
    let text = String::from_utf8_lossy(&result.stderr);
    let message = match text.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) => line.trim().to_owned(),
        None => result.status.to_string(),
    };
    Err(Error::Tool { tool, path: path.to_path_buf(), message })
}
