//! The exit status of each kind of error; docs/reports.md has what each status means in each sub-command.

use capvec_bench::resume::OtherSweep;
use capvec_targets::Refused;
use capvec_targets::builds::{BadOwnFile, NoSource};

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
        e.is::<NoSource>() || e.is::<BadOwnFile>() || e.is::<OtherSweep>() || e.is::<Refused>()
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
