//! Limits of programs with and without an operating system.

use crate::cmd::flags::bytes;
use crate::cmd::stats::Figures;
use crate::cmd::{Usage, say, stderr_is_ready};
use anyhow::Result;
use capvec_text::escape;
use capvec_util::atomic_file;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Exit status of a run that the user has interrupted: 128 plus SIGINT.
const INTERRUPTED: i32 = 130;

/// Limits and statistics of a run, with or without an operating system.
#[derive(clap::Args)]
pub struct Limits {
    /// Guest memory, such as 512M or 4G
    #[arg(long, value_name = "BYTES", default_value = "4G", value_parser = size)]
    pub memory: u64,
    /// End the run after this many retired instructions
    #[arg(long, value_name = "N")]
    pub max_insns: Option<u64>,
    /// End the run after this many seconds of host time
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// Print cycles, and retired instructions by class and by extension; with =misaligned, which instructions make misaligned
    /// accesses (runs in the interpreter)
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    pub stats: Option<Stats>,
    /// Write the same as JSON, with counts by instruction, to this file
    #[arg(long, value_name = "FILE")]
    pub stats_json: Option<PathBuf>,
}

/// What `--stats` prints.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Stats {
    All,
    Misaligned,
}

impl Limits {
    /// Whether retired instructions are counted by instruction, not only in total.
    pub fn counts(&self) -> bool {
        self.stats == Some(Stats::All) || self.stats_json.is_some()
    }

    /// Whether a flag asks for statistics of any kind.
    pub fn asks_for_statistics(&self) -> bool {
        self.stats.is_some() || self.stats_json.is_some()
    }

    /// Refuses a file for statistics that cannot be written, before the run.
    ///
    /// # Errors
    /// Names the flag and the file.
    pub fn check(&self) -> Result<()> {
        let Some(path) = &self.stats_json else { return Ok(()) };
        if self.stats == Some(Stats::Misaligned) {
            return Err(Usage("--stats-json does not work with --stats=misaligned".into()).into());
        }
        atomic_file::check(path).map_err(|e| Usage(unwritable(path, &e)).into())
    }

    /// Writes the statistics where the flags say. Returns whether that succeeded; an error is printed.
    pub fn report(&self, figures: &Figures<'_>) -> bool {
        let written = self.stats_json.as_deref().is_none_or(|path| {
            let result = atomic_file::replace(path, figures.json());
            result.inspect_err(|e| say!("{}", unwritable(path, e))).is_ok()
        });
        let print = || {
            stderr_is_ready()
                && std::io::stderr().lock().write_all(figures.text().as_bytes()).is_ok()
        };
        written & (self.stats != Some(Stats::All) || print())
    }
}

fn unwritable(path: &Path, e: &std::io::Error) -> String {
    let path = escape::path(path);
    format!("--stats-json: cannot write {path}: {e}; name a file in a writable directory")
}

fn size(text: &str) -> Result<u64, String> {
    bytes(text, 1..=u64::MAX, "above 0")
}

/// Raises the soft limit on open files to the hard one: each file of the host that the guest has open takes a descriptor
/// of this process. If it cannot be raised, the guest can open fewer.
pub fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// Once the run has begun, Ctrl-C goes to the guest; a second one, while the guest has not seen the first, ends the
/// run.
pub fn interrupts() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let fail = |e| Usage(format!("cannot catch interrupts: {e}"));
    flag::register_conditional_shutdown(SIGINT, INTERRUPTED, Arc::clone(&flag)).map_err(fail)?;
    flag::register(SIGINT, Arc::clone(&flag)).map_err(fail)?;
    Ok(flag)
}
