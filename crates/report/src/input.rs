//! Reads the inputs of a report from files.

use crate::other_record::{Content, OtherRecord};
use anyhow::{Context, Result};
use capvec_record::read::{self, Loaded, RECORDS, REMEDY, one_line, with_remedy};
use capvec_record::{constant_time, doctor, explored, kat};
use std::path::Path;

/// An input of a report.
#[derive(Clone, Debug)]
pub enum Input {
    /// A record of `capvec bench`.
    Record(Box<Loaded>),
    /// A record of `capvec doctor`, `capvec kat`, `capvec explore` or `capvec ct --cases`.
    Other(Box<OtherRecord>),
}

/// Reads a record, or what `capvec kat` or `capvec explore` wrote to `--out` or with `--format json`, or what `capvec doctor` or
/// `capvec ct --cases` wrote with `--format json`.
///
/// # Errors
/// The file cannot be read or is none of these; the message says what to give instead.
pub fn input(path: &Path) -> Result<Input> {
    let remedy = format!(
        "{REMEDY}, or what `capvec kat`, `capvec explore`, `capvec doctor --format json` or `capvec ct --cases --format json` wrote"
    );
    let files = [RECORDS[0], RECORDS[1], "kat.json", "explore.json"];
    let input = || {
        let (name, bytes) = read::file(path, &files, &remedy)?;
        parse_any(&name, &bytes).map_err(|e| with_remedy(&name, &e, &remedy))
    };
    input().map_err(one_line)
}

/// Reads the bytes of a file of this name.
///
/// # Errors
/// They are none of these.
pub fn parse_any(name: &str, bytes: &[u8]) -> Result<Input> {
    let name = name.to_string();
    let other = |content| Input::Other(Box::new(OtherRecord { name: name.clone(), content }));
    let text = std::str::from_utf8(bytes).context("not UTF-8")?;
    Ok(match read::written_by(text) {
        Some("doctor") => other(Content::Doctor(Box::new(doctor::parse(text)?))),
        Some("ct") => other(Content::ConstantTime(constant_time::parse(text)?)),
        Some("explore") => other(Content::Explored(explored::parse(text)?)),
        Some(_) => other(Content::Kat(kat::parse(text)?)),
        None => Input::Record(Box::new(Loaded { name: name.clone(), record: read::parse(bytes)? })),
    })
}
