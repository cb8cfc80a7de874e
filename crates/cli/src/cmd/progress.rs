//! Progress on standard error: a spinner for the steps of a set-up, a bar for what can be counted.

use crate::cmd::say;
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::time::Duration;

/// The interval at which the elapsed time is updated.
const TICK: Duration = Duration::from_millis(200);

/// A bar that counts `what`, such as runs; hidden if `quiet`.
pub fn bar(quiet: bool, total: usize, what: &str) -> Result<ProgressBar> {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(total as u64) };
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what} {{elapsed}} {{msg}}");
    bar.set_style(ProgressStyle::with_template(&template).context("the template of the bar")?);
    bar.enable_steady_tick(TICK);
    Ok(bar)
}

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
    bar.enable_steady_tick(TICK);
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
