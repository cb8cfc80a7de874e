//! One module for each sub-command.

use anyhow::Context;
use capvec_text::escape;
use std::io::{IsTerminal, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub mod annotate;
pub mod bare_console;
pub mod bench;
pub mod build;
pub mod cache;
pub mod caps;
pub mod compare;
pub mod core_choice;
pub mod core_flags;
pub mod cores;
pub mod ct;
pub mod doctor;
mod exit_status;
pub mod explore;
pub mod flags;
pub mod isa;
pub mod isa_files;
pub mod itself;
pub mod kat;
pub mod limits;
pub mod matrix;
pub mod misaligned;
pub mod own_code;
pub mod progress;
pub mod report;
pub mod rtl;
pub mod run;
pub mod setup;
pub mod stats;
pub mod sweep;
pub mod sysroot;
pub mod target;

pub use exit_status::{CheckFailed, Usage, status, usage};

/// Writes a result to standard output, without anything that a terminal would interpret. A reader that closes early,
/// such as `head`, is not an error.
///
/// # Errors
/// Says that standard output cannot be written.
pub fn print(text: &str) -> anyhow::Result<()> {
    print_as_it_is(&escape::lines(text))
}

/// The same with every character unchanged, for a file.
///
/// # Errors
/// Says that standard output cannot be written.
pub fn print_as_it_is(text: &str) -> anyhow::Result<()> {
    write_bytes(text.as_bytes())
}

fn write_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("standard output cannot be written"),
    }
}

/// Writes a path and a newline: to a terminal, without anything that the terminal would interpret; otherwise unchanged, for
/// programs that read the path.
///
/// # Errors
/// Says that standard output cannot be written.
pub fn print_path(path: &Path) -> anyhow::Result<()> {
    if std::io::stdout().is_terminal() {
        return print(&format!("{}\n", escape::path(path)));
    }
    write_bytes(&[path.as_os_str().as_bytes(), b"\n"].concat())
}

/// Whether standard error accepts a message within a second. Whoever does not read the guest's output may not read
/// messages either, and the end of the run must not wait for that.
pub fn stderr_is_ready() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stderr = std::io::stderr();
    let mut fds = [PollFd::new(&stderr, PollFlags::OUT)];
    // If polling fails, writing is tried all the same.
    poll(&mut fds, Some(&Timespec { tv_sec: 1, tv_nsec: 0 })).map_or(true, |ready| ready > 0)
}

/// Writes lines to standard error, without anything that a terminal would interpret. What cannot be written is dropped,
/// without an error.
pub fn print_error(text: &str) {
    let _ = std::io::stderr().lock().write_all(escape::lines(text).as_bytes());
}

/// Like `eprintln!`, with the program's name in front: see [`print_error`].
macro_rules! say {
    ($($arg:tt)*) => {
        $crate::cmd::print_error(&format!("capvec: {}\n", format_args!($($arg)*)))
    };
}
pub(crate) use say;

/// Adds to the error of a failed connection that finished results are kept, in a sub-command that has `--out`.
pub fn resumable(error: anyhow::Error) -> anyhow::Error {
    if !error.is::<capvec_targets::backend::Lost>() {
        return error;
    }
    anyhow::anyhow!(
        "{error:#}. With --out, finished results are kept, and the same command resumes after them"
    )
}
