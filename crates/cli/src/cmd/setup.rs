//! Set-up shared by the sub-commands that measure or check: a target with its drivers, and the checkpoint of `--out`.

use crate::cmd::progress::spinner;
use crate::cmd::say;
use anyhow::Result;
use capvec_bench::resume::{Checkpoint, Identity};
use capvec_bench::run::Runner;
use capvec_guest::Program;
use capvec_targets::{Library, Target};
use capvec_text::escape;
use std::path::Path;

/// The tool's name and version, for records.
pub const TOOL: &str = concat!("capvec ", env!("CARGO_PKG_VERSION"));

/// Opens a target with a library, showing a spinner unless `quiet`.
pub fn open(
    target: &Target,
    library: &Library,
    programs: &[Program],
    quiet: bool,
) -> Result<Runner> {
    let spinner = spinner(quiet);
    let progress = &mut |what: &str| spinner.set_message(what.to_string());
    let runner = Runner::open(target, library, programs, progress)?;
    spinner.finish_and_clear();
    Ok(runner)
}

/// Opens the checkpoint of finished results, and reports how many it has, if any.
pub fn open_checkpoint(dir: &Path, identity: &Identity) -> Result<Checkpoint> {
    let (checkpoint, opened) = Checkpoint::open(dir, identity)?;
    if opened.finished > 0 {
        say_resumed(dir, opened.finished);
    }
    Ok(checkpoint)
}

/// Reports that an unfinished run is resumed.
pub fn say_resumed(dir: &Path, finished: usize) {
    say!(
        "--out {}: resuming an unfinished run; {finished} configurations are done",
        escape::path(dir)
    );
}
