//! What sub-commands that measure or check set up: the simulator with its drivers, and the store of `--out`.

use crate::cmd::say;
use anyhow::Result;
use capvec_bench::run::{Program, Runner};
use capvec_bench::subject::Subject;
use capvec_bench::sweep::{Identity, Store};
use capvec_timing::Core;
use indicatif::ProgressBar;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

/// What writes a record.
pub const TOOL: &str = concat!("capvec ", env!("CARGO_PKG_VERSION"));

/// Steps of setting something up, unless `quiet`.
pub fn spinner(quiet: bool) -> ProgressBar {
    let quiet = quiet || !io::stderr().is_terminal();
    let spinner = if quiet { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// Sets up what guests run in, with a spinner unless `quiet`: the first time, packages are fetched and programs compiled.
pub fn runner(
    subject: Subject,
    core: Core,
    sysroot: &str,
    programs: &[Program],
    quiet: bool,
) -> Result<Runner> {
    let spinner = spinner(quiet);
    let told = &mut |what: &str| spinner.set_message(what.to_string());
    let runner = Runner::of(subject, core, sysroot, programs, told)?;
    spinner.finish_and_clear();
    Ok(runner)
}

/// Opens the store of what is finished, and says so if there is any.
pub fn open_store(dir: &Path, identity: &Identity) -> Result<Store> {
    let (store, opened) = Store::open(dir, identity)?;
    if opened.finished > 0 {
        say!(
            "--out {}: an unfinished sweep goes on, {} configurations are done",
            dir.display(),
            opened.finished
        );
    }
    Ok(store)
}
