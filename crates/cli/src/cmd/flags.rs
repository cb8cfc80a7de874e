//! Flags that several sub-commands share, and their meaning.

use clap::ValueEnum;
use std::io::{self, IsTerminal};

/// The output format of a sub-command.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    Table,
    Csv,
    Json,
    Md,
}

/// A VLEN that the simulator supports.
pub fn vlen(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(v) if (128..=65536).contains(&v) && u32::is_power_of_two(v) => Ok(v),
        _ => Err("a power of two from 128 to 65536".into()),
    }
}

/// A number of bytes; k, M and G are powers of 1024, like KiB, MiB and GiB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kib" => Some(10),
        "m" | "mib" => Some(20),
        "g" | "gib" => Some(30),
        _ => None,
    };
    let bytes = shift.and_then(|s| number.parse::<u64>().ok()?.checked_mul(1 << s));
    bytes.ok_or_else(|| "a number of bytes, such as 16384, 16k, 512M or 4GiB (k is 1024)".into())
}

/// Removes duplicates, keeping the first: `64,64` measures one size.
pub fn once<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    values.into_iter().fold(Vec::new(), |mut seen, v| {
        if !seen.contains(&v) {
            seen.push(v);
        }
        seen
    })
}

/// The width to fold a table to, if standard output is a terminal.
pub fn terminal_width() -> Option<u16> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(columns.max(80))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, n) in [
            ("0", 0),
            ("16384", 16384),
            ("16k", 16384),
            ("16K", 16384),
            ("1KiB", 1024),
            ("4G", 4 << 30),
        ] {
            assert_eq!(bytes(text), Ok(n), "{text}");
        }
        // A kB is 1000 bytes to some and 1024 to others.
        for text in ["", "k", "16kB", "1e3", "-1", "1.5k", "99999999999G", "16 k", "١"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
