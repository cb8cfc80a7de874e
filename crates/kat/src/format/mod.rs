//! The format of `vectors/`, which its README describes.

use super::Algorithm;
use capvec_bench::case::Operation;
use std::collections::HashMap;

/// The value of `format` in the header of every file.
const FORMAT: &str = "capvec-vectors 1";
/// Longest message and longest output that the driver accepts, in bytes (`MAX_MESSAGE` of driver.h).
const LONGEST: usize = 65536;
/// Longest tag that it accepts, in bytes (`MAX_TAG` of kat.h); no AEAD has more than 16.
const LONGEST_TAG: usize = 64;
/// Longest record that it accepts, in digits (`MAX_LINE` of group.c), less the rest of a job.
const LONGEST_RECORD: usize = 4 * LONGEST - 1024;

/// The required result of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer.
    Valid,
    /// A refusal.
    Invalid,
    /// The answer or a refusal.
    Acceptable,
}

impl Outcome {
    /// The name in files and in the driver's protocol.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Valid => "valid",
            Outcome::Invalid => "invalid",
            Outcome::Acceptable => "acceptable",
        }
    }
}

/// An output, or a digest of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// In hexadecimal.
    Bytes(String),
    /// 64-bit FNV-1a; for an AEAD it includes the tag.
    Fnv(u64),
}

/// One vector. Bytes are in hexadecimal; `@N` stands for the N bytes i mod 251.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The file that contains it.
    pub file: String,
    /// The line of the file at which its record begins, counted from 1.
    pub line: usize,
    /// Name in the file; for a sweep, with the length.
    pub id: String,
    /// Its algorithm.
    pub algorithm: String,
    /// The operation, for algorithms with several; else empty.
    pub operation: String,
    /// Key.
    pub key: String,
    /// Initialisation vector or nonce.
    pub iv: String,
    /// Associated data.
    pub aad: String,
    /// Message.
    pub input: String,
    /// The expected output.
    pub out: Expected,
    /// Tag of an AEAD.
    pub tag: String,
    /// The required result.
    pub outcome: Outcome,
    /// Its purpose.
    pub comment: String,
}

impl Vector {
    /// The operation: the algorithm's only one, unless the vector names one.
    pub(super) fn operation(&self, algorithm: &Algorithm) -> Operation {
        let named = algorithm.operations.iter().find(|o| o.name() == self.operation);
        named.or(algorithm.operations.first()).copied().unwrap_or_default()
    }
}

/// A file that violates the format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {what}")]
pub struct ParseError {
    /// Its name.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Fields that hold bytes.
const HEXADECIMAL: [&str; 6] = ["key", "iv", "aad", "in", "out", "tag"];
/// Fields that hold text.
const TEXT: [&str; 6] = ["algorithm", "operation", "id", "result", "comment", "source"];
/// Fields of sweeps.
const SWEEP: [&str; 3] = ["sweep", "lengths", "out-fnv1a64"];
/// Fields of the header only.
const HEADER: [&str; 3] = ["format", "origin", "licence"];

/// The lines of one record.
#[derive(Default)]
struct Record<'a> {
    line: usize,
    fields: HashMap<&'a str, &'a str>,
}

/// Reads a file.
///
/// # Errors
/// Names the line that violates the format.
pub fn parse(file: &str, text: &str) -> Result<Vec<Vector>, ParseError> {
    let fail = |line: usize, what: String| ParseError { file: file.into(), line, what };
    let mut records = records(text).map_err(|(line, what)| fail(line, what))?.into_iter();
    let header = records.next().ok_or_else(|| fail(1, "the file is empty".into()))?;
    for name in HEADER {
        if !header.fields.contains_key(name) {
            return Err(fail(header.line, format!("the header lacks {name}")));
        }
    }
    if header.fields["format"] != FORMAT {
        return Err(fail(header.line, format!("format is not {FORMAT}")));
    }
    let mut vectors = Vec::new();
    for mut record in records {
        if let Some(name) = HEADER.iter().find(|n| record.fields.contains_key(*n)) {
            return Err(fail(record.line, format!("{name} belongs in the header")));
        }
        for (name, value) in &header.fields {
            record.fields.entry(name).or_insert(value);
        }
        let read = if record.fields.contains_key("lengths") { sweep } else { single };
        read(file, &record, &mut vectors).map_err(|what| fail(record.line, what))?;
    }
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for v in &vectors {
        if let Some(first) = lines.insert(&v.id, v.line) {
            let what = format!("id {} is already used by the record at line {first}", v.id);
            return Err(fail(v.line, what));
        }
    }
    Ok(vectors)
}

/// The records of a file, the header first.
fn records(text: &str) -> Result<Vec<Record<'_>>, (usize, String)> {
    let mut records: Vec<Record> = Vec::new();
    let mut open = false;
    for (i, line) in text.lines().enumerate() {
        if line.starts_with('#') {
            continue;
        }
        if line.trim().is_empty() {
            open = false;
            continue;
        }
        let (name, value) = line.split_once('=').ok_or((i + 1, "no `name = value`".to_string()))?;
        let (name, value) = (name.trim(), value.trim());
        let known = [&HEXADECIMAL[..], &TEXT, &SWEEP, &HEADER].concat();
        if !known.contains(&name) {
            return Err((i + 1, format!("there is no field {name}")));
        }
        if HEXADECIMAL.contains(&name) {
            let longest = if name == "tag" { LONGEST_TAG } else { LONGEST };
            bytes(value, longest).map_err(|what| (i + 1, format!("{name}: {what}")))?;
        }
        if !open {
            records.push(Record { line: i + 1, fields: HashMap::new() });
            open = true;
        }
        let record = records.last_mut().expect("one was just opened");
        if record.fields.insert(name, value).is_some() {
            return Err((i + 1, format!("{name} is given a second time")));
        }
    }
    Ok(records)
}

/// The length of hexadecimal bytes or of a pattern message.
fn bytes(text: &str, longest: usize) -> Result<usize, String> {
    let digits = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let len = match text.strip_prefix('@') {
        Some(n) => decimal(n).ok_or_else(|| format!("{text}: no length"))?,
        None if text.len().is_multiple_of(2) && text.bytes().all(digits) => text.len() / 2,
        None => return Err("neither lower-case hexadecimal nor @LENGTH".into()),
    };
    if len > longest { Err(format!("longer than {longest} bytes")) } else { Ok(len) }
}

/// Accepts digits only: parsing an integer would also accept a sign, which the driver does not.
fn decimal(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()))
}

/// Number of bytes of a parsed field.
pub(super) fn length(text: &str) -> usize {
    bytes(text, LONGEST).unwrap_or(0)
}

impl Record<'_> {
    fn get(&self, name: &str) -> &str {
        self.fields.get(name).copied().unwrap_or("")
    }

    fn vector(&self, file: &str) -> Result<Vector, String> {
        let text = |name: &str| self.get(name).to_string();
        for name in ["algorithm", "id"] {
            if self.get(name).is_empty() {
                return Err(format!("the record lacks {name}"));
            }
        }
        let outcome = match self.get("result") {
            "" | "valid" => Outcome::Valid,
            "invalid" => Outcome::Invalid,
            "acceptable" => Outcome::Acceptable,
            other => return Err(format!("result = {other}: must be valid, invalid or acceptable")),
        };
        let digits: usize = HEXADECIMAL.iter().map(|name| self.get(name).len()).sum();
        if digits > LONGEST_RECORD {
            return Err(format!(
                "the record has {digits} digits in all; at most {LONGEST_RECORD} are allowed"
            ));
        }
        Ok(Vector {
            file: file.into(),
            line: self.line,
            id: text("id"),
            algorithm: text("algorithm"),
            operation: text("operation"),
            key: text("key"),
            iv: text("iv"),
            aad: text("aad"),
            input: text("in"),
            out: Expected::Bytes(text("out")),
            tag: text("tag"),
            outcome,
            comment: text("comment"),
        })
    }
}

fn single(file: &str, record: &Record, into: &mut Vec<Vector>) -> Result<(), String> {
    if record.fields.contains_key("sweep") {
        return Err("sweep without lengths".into());
    }
    let mut v = record.vector(file)?;
    if record.fields.contains_key("out-fnv1a64") {
        v.out = Expected::Fnv(digest(record.get("out-fnv1a64"))?);
    }
    into.push(v);
    Ok(())
}

/// One vector for each length of the swept field.
fn sweep(file: &str, record: &Record, into: &mut Vec<Vector>) -> Result<(), String> {
    let base = record.vector(file)?;
    let lengths = lengths(record.get("lengths"))?;
    let digests = record.get("out-fnv1a64").as_bytes().chunks(16);
    if digests.len() != lengths.len() {
        return Err(format!("{} lengths, {} digests", lengths.len(), digests.len()));
    }
    let field = if record.get("sweep").is_empty() { "in" } else { record.get("sweep") };
    for (n, digest) in lengths.into_iter().zip(digests) {
        let mut v = base.clone();
        let place = match field {
            "in" => &mut v.input,
            "aad" => &mut v.aad,
            "iv" => &mut v.iv,
            "key" => &mut v.key,
            other => return Err(format!("sweep = {other}: must be in, aad, iv or key")),
        };
        *place = format!("@{n}");
        v.id = format!("{}/{n}", base.id);
        v.out = Expected::Fnv(self::digest(std::str::from_utf8(digest).unwrap_or_default())?);
        into.push(v);
    }
    Ok(())
}

fn digest(text: &str) -> Result<u64, String> {
    let digits = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let read = u64::from_str_radix(text, 16).ok().filter(|_| digits);
    read.ok_or_else(|| "out-fnv1a64: must have 16 hexadecimal digits for each length".into())
}

/// `0-300 512 1024`.
fn lengths(text: &str) -> Result<Vec<usize>, String> {
    let fail = || format!("lengths = {text}: must be numbers and ranges up to {LONGEST}");
    let number = |t: &str| decimal(t).filter(|n| *n <= LONGEST).ok_or_else(fail);
    let mut all = Vec::new();
    for word in text.split_whitespace() {
        match word.split_once('-') {
            Some((from, to)) => {
                let range = number(from)?..=number(to)?;
                if range.is_empty() {
                    return Err(format!("lengths = {text}: {word} begins with the larger number"));
                }
                all.extend(range);
            }
            None => all.push(number(word)?),
        }
    }
    if all.is_empty() { Err(fail()) } else { Ok(all) }
}

#[cfg(test)]
mod tests;
