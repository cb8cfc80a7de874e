//! One module for each sub-command.

pub mod bench;
pub mod caps;
pub mod cores;
pub mod isa;
pub mod run;
pub mod stats;
pub mod sysroot;

/// An error in how the program was called: exit status 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The exit status for `error`.
pub fn status(error: &anyhow::Error) -> u8 {
    if error.chain().any(|e| e.is::<Usage>()) { 2 } else { 1 }
}

/// Turns an error into one of usage, keeping its text.
pub fn usage(error: impl Into<anyhow::Error>) -> anyhow::Error {
    anyhow::Error::new(Usage(format!("{:#}", error.into())))
}
