//! One module for each sub-command.

use anyhow::Context;
use capvec_bench::sweep::OtherSweep;
use capvec_targets::Refused;
use capvec_targets::builds::{BadReplacement, NoSource};
use capvec_text::escape;
use std::io::{IsTerminal, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub mod annotate;
pub mod bench;
pub mod build;
pub mod caps;
pub mod compare;
pub mod console;
pub mod core_flags;
pub mod cores;
pub mod ct;
pub mod doctor;
pub mod explore;
pub mod flags;
pub mod isa;
pub mod isa_files;
pub mod kat;
pub mod limits;
pub mod matrix;
pub mod model;
pub mod own_code;
pub mod report;
pub mod run;
pub mod setup;
pub mod stats;
pub mod sysroot;
pub mod target;

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

/// Writes a path on a line: on a terminal without anything that it would interpret, else unchanged, for programs that
/// read it.
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
    // If polling fails, writing will show.
    poll(&mut fds, Some(&Timespec { tv_sec: 1, tv_nsec: 0 })).map_or(true, |ready| ready > 0)
}

/// Like `eprintln!`, with the program's name in front and nothing that a terminal would interpret. A message that
/// cannot be written is dropped; the work goes on.
macro_rules! say {
    ($($arg:tt)*) => {{
        use std::io::Write as _;
        let text = format!("capvec: {}\n", format_args!($($arg)*));
        let _ = std::io::stderr().lock().write_all(capvec_text::escape::lines(&text).as_bytes());
    }};
}
pub(crate) use say;

/// An error in how the program was called: exit status 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// A check ran and failed: exit status 1.
#[derive(Debug)]
pub struct CheckFailed(pub String);

impl std::fmt::Display for CheckFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckFailed {}

/// The exit status for `error`: 2 if the command line is at fault, which includes names that do not exist; 3 if the
/// request could not be carried out. 1 is for checks that ran and failed.
pub fn status(error: &anyhow::Error) -> u8 {
    let sysroot = |e: &(dyn std::error::Error + 'static)| {
        e.downcast_ref::<capvec_sysroot::Error>().is_some_and(capvec_sysroot::Error::is_usage)
    };
    // Something that the command line names does not exist, or is in use.
    let named = |e: &(dyn std::error::Error + 'static)| {
        e.is::<NoSource>() || e.is::<BadReplacement>() || e.is::<OtherSweep>() || e.is::<Refused>()
    };
    if error.chain().any(|e| e.is::<Usage>() || sysroot(e) || named(e)) {
        2
    } else if error.is::<CheckFailed>() {
        1
    } else {
        3
    }
}

/// Turns an error into a usage error with the same text.
pub fn usage(error: impl Into<anyhow::Error>) -> anyhow::Error {
    anyhow::Error::new(Usage(format!("{:#}", error.into())))
}

/// Adds to the error of a failed connection that finished results are kept, in a sub-command that has `--out`.
pub fn resumable(error: anyhow::Error) -> anyhow::Error {
    if !error.is::<capvec_targets::backend::Lost>() {
        return error;
    }
    anyhow::anyhow!(
        "{error:#}. With --out, finished results are kept, and the same command resumes after them"
    )
}
