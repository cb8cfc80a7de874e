//! Flags that several sub-commands have, and what they mean.

use clap::ValueEnum;
use std::io::{self, IsTerminal};

/// What a sub-command prints.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    Table,
    Csv,
    Json,
    Md,
}

/// A VLEN that the simulator has.
pub fn vlen(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(v) if (128..=65536).contains(&v) && u32::is_power_of_two(v) => Ok(v),
        _ => Err("a power of two from 128 to 65536".into()),
    }
}

/// Each value once, where it first stands: `64,64` measures one size.
pub fn once<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    values.into_iter().fold(Vec::new(), |mut seen, v| {
        if !seen.contains(&v) {
            seen.push(v);
        }
        seen
    })
}

/// The width to fold a table to: only on a terminal.
pub fn terminal_width() -> Option<u16> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(columns.max(80))
}
