//! Drivers as processes of this machine.

use super::Ended;
use super::qemu_log::{self, Marks};
use anyhow::{Context, Result};
use std::io::{BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStderr, Command, Stdio};
use std::thread;

/// Runs a command with this input.
///
/// # Errors
/// It does not start.
pub fn run(command: &mut Command, input: String) -> Result<Ended> {
    run_bytes(command, input.into_bytes())
}

/// The same with input that need not be text.
///
/// # Errors
/// It does not start.
pub fn run_bytes(command: &mut Command, input: Vec<u8>) -> Result<Ended> {
    let (ended, text) = with(command, input, |mut stderr| {
        let mut text = Vec::new();
        stderr.read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).trim().to_string())
    })?;
    Ok(Ended { stderr: text, ..ended })
}

/// Runs a command whose standard error is QEMU's log; also returns the counts up to each mark.
///
/// # Errors
/// It does not start.
pub fn traced(command: &mut Command, input: String) -> Result<(Ended, Marks)> {
    let (ended, log) =
        with(command, input.into_bytes(), |stderr| qemu_log::read(BufReader::new(stderr)))?;
    Ok((Ended { stderr: log.other.trim().to_string(), ..ended }, log.marks))
}

/// Runs a command, and passes its standard error to `read`.
fn with<T: Send>(
    command: &mut Command,
    input: Vec<u8>,
    read: impl FnOnce(ChildStderr) -> std::io::Result<T> + Send,
) -> Result<(Ended, T)> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let fail = || format!("running {shown}");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(fail)?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(mut stdout), Some(stderr)) = pipes else {
        anyhow::bail!("{shown} has no pipes")
    };
    let mut output = Vec::new();
    let (errors, got) = thread::scope(|scope| {
        // Fails if the program ends before it has read all input; its status says why.
        scope.spawn(move || drop(stdin.write_all(&input)));
        let errors = scope.spawn(move || read(stderr));
        let got = stdout.read_to_end(&mut output);
        (errors.join(), got)
    });
    let status = child.wait().with_context(fail)?;
    got.with_context(fail)?;
    let errors =
        errors.unwrap_or_else(|panic| std::panic::resume_unwind(panic)).with_context(fail)?;
    let code = status.code().or_else(|| status.signal().map(|s| 128 + s)).unwrap_or(1);
    let stdout = String::from_utf8_lossy(&output).into_owned();
    Ok((Ended { status: code, stdout, ..Ended::default() }, errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_output_and_messages_come_back() {
        let mut c = Command::new("sh");
        let ended = run(c.args(["-c", "cat; echo oops >&2; exit 3"]), "x".repeat(1 << 20)).unwrap();
        assert_eq!((ended.status, ended.stdout.len(), ended.stderr.as_str()), (3, 1 << 20, "oops"));
        let ended = run(Command::new("sh").args(["-c", "kill -9 $$"]), String::new()).unwrap();
        assert_eq!(ended.status, 137);
        assert!(run(&mut Command::new("/nonexistent"), String::new()).is_err());
    }
}
