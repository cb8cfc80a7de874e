//! Set-up shared by the sub-commands that measure or check: a target with its drivers, and the store of `--out`.

use crate::cmd::say;
use anyhow::Result;
use capvec_bench::run::{Program, Runner};
use capvec_bench::sweep::{Identity, Store};
use capvec_targets::{Library, Target};
use capvec_text::escape;
use indicatif::ProgressBar;
use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

/// The tool's name and version, for records.
pub const TOOL: &str = concat!("capvec ", env!("CARGO_PKG_VERSION"));

/// Steps of a set-up: a spinner on a terminal, else a line when a step begins.
pub struct Steps {
    bar: ProgressBar,
    lines: bool,
    last: RefCell<String>,
}

/// The steps of a set-up; silent if `quiet`.
pub fn spinner(quiet: bool) -> Steps {
    let lines = !quiet && !io::stderr().is_terminal();
    let bar = if quiet || lines { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    bar.enable_steady_tick(Duration::from_millis(100));
    Steps { bar, lines, last: RefCell::default() }
}

impl Steps {
    /// Shows the current step.
    pub fn set_message(&self, what: impl Into<String>) {
        let what = what.into();
        if self.lines && begins(&self.last.borrow(), &what) {
            say!("{what} ...");
        }
        self.last.replace(what.clone());
        self.bar.set_message(what);
    }

    /// Removes the spinner.
    pub fn finish_and_clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Whether `what` is a new step rather than progress in the step `last`: each step begins with its own verb.
fn begins(last: &str, what: &str) -> bool {
    last.split_whitespace().next() != what.split_whitespace().next()
}

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

/// Opens the store of finished results, and reports how many it has, if any.
pub fn open_store(dir: &Path, identity: &Identity) -> Result<Store> {
    let (store, opened) = Store::open(dir, identity)?;
    if opened.finished > 0 {
        say_resumed(dir, opened.finished);
    }
    Ok(store)
}

/// Reports that an unfinished run is resumed.
pub fn say_resumed(dir: &Path, finished: usize) {
    say!(
        "--out {}: resuming an unfinished run; {finished} configurations are done",
        escape::path(dir)
    );
}

#[cfg(test)]
mod tests {
    use super::begins;

    #[test]
    fn a_step_is_shown_once() {
        let steps = [
            ("reading the index of trixie for riscv64", true),
            ("resolving the dependencies of 3 packages", true),
            ("downloading 40 packages: 0 %", true),
            ("downloading 40 packages: 7 %", false),
            ("unpacking 1/40 libc6", true),
            ("unpacking 2/40 openssl", false),
            ("compiling the driver", true),
        ];
        let mut last = "";
        for (what, shown) in steps {
            assert_eq!(begins(last, what), shown, "{what}");
            last = what;
        }
    }
}
