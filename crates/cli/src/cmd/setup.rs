//! What sub-commands that measure or check set up: a target with its drivers, and the store of `--out`.

use crate::cmd::say;
use anyhow::Result;
use capvec_bench::run::{Program, Runner};
use capvec_bench::sweep::{Identity, Store};
use capvec_record::escape;
use capvec_target::{Library, Target};
use indicatif::ProgressBar;
use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

/// What writes a record.
pub const TOOL: &str = concat!("capvec ", env!("CARGO_PKG_VERSION"));

/// Steps of setting something up: a spinner on a terminal, elsewhere a line when a step begins.
pub struct Steps {
    bar: ProgressBar,
    lines: bool,
    last: RefCell<String>,
}

/// Steps of setting something up, unless `quiet`.
pub fn spinner(quiet: bool) -> Steps {
    let lines = !quiet && !io::stderr().is_terminal();
    let bar = if quiet || lines { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    bar.enable_steady_tick(Duration::from_millis(100));
    Steps { bar, lines, last: RefCell::default() }
}

impl Steps {
    /// Shows what is being done.
    pub fn set_message(&self, what: impl Into<String>) {
        let what = what.into();
        if self.lines && begins(&self.last.borrow(), &what) {
            say!("{what} ...");
        }
        self.last.replace(what.clone());
        self.bar.set_message(what);
    }

    /// Takes the spinner away.
    pub fn finish_and_clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Whether `what` is another step than `last`, and not the same farther on: steps begin with a verb of their own.
fn begins(last: &str, what: &str) -> bool {
    last.split_whitespace().next() != what.split_whitespace().next()
}

/// Opens a target with a library, with a spinner unless `quiet`.
pub fn open(
    target: &Target,
    library: &Library,
    programs: &[Program],
    quiet: bool,
) -> Result<Runner> {
    let spinner = spinner(quiet);
    let told = &mut |what: &str| spinner.set_message(what.to_string());
    let runner = Runner::open(target, library, programs, told)?;
    spinner.finish_and_clear();
    Ok(runner)
}

/// Opens the store of what is finished, and says so if there is any.
pub fn open_store(dir: &Path, identity: &Identity) -> Result<Store> {
    let (store, opened) = Store::open(dir, identity)?;
    if opened.finished > 0 {
        say!(
            "--out {}: an unfinished sweep goes on, {} configurations are done",
            escape::path(dir),
            opened.finished
        );
    }
    Ok(store)
}

#[cfg(test)]
mod tests {
    use super::begins;

    #[test]
    fn a_step_is_told_once() {
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
        for (what, told) in steps {
            assert_eq!(begins(last, what), told, "{what}");
            last = what;
        }
    }
}
