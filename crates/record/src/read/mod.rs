//! Records from files.

mod csv;
mod figures;
mod remedy;

use crate::compute::over_scalar;
use crate::{ConfigurationRecord, CoreRecord, Evaluated, Explanation, Record, SCHEMA};
use anyhow::{Context, Result, anyhow, bail, ensure};
use capvec_text::escape;
use remedy::Remedied;
pub(crate) use remedy::supported;
pub use remedy::{REMEDY, with_remedy};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A record, and where it came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file, as the user named it.
    pub name: String,
    /// Its content.
    pub record: Evaluated,
}

/// Larger files are refused: the largest sweeps write about ten megabytes.
const MOST_BYTES: u64 = 256 << 20;

/// Each row is looked up among the configurations. The largest sweeps have a few hundred.
const MOST_CONFIGURATIONS: usize = 10_000;

/// Reads a record: a directory of `--out`, a `record.json` or a `results.csv`.
///
/// # Errors
/// Names the file, what is wrong with it, and what to give instead.
pub fn load(path: &Path) -> Result<Loaded> {
    let loaded = || {
        let (name, bytes) = file(path, &RECORDS, REMEDY)?;
        let record = parse(&bytes).map_err(|e| with_remedy(&name, &e, REMEDY))?;
        Ok(Loaded { name, record })
    };
    loaded().map_err(one_line)
}

/// An error on one line: it quotes names and records, whose line ends could pass for lines of our own.
pub fn one_line(error: anyhow::Error) -> anyhow::Error {
    anyhow!("{}", escape::line(&format!("{error:#}")))
}

/// The command that wrote a JSON text, if it was not `bench`, recognised by a field that only that command writes.
pub fn written_by(text: &str) -> Option<&'static str> {
    /// Whether a field is present, whatever its value, even null.
    #[derive(Default)]
    struct Field(bool);
    impl<'de> Deserialize<'de> for Field {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Field, D::Error> {
            IgnoredAny::deserialize(d).map(|_| Field(true))
        }
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Fields {
        diagnosis: Field,
        known: Field,
        explore: Field,
        findings: Field,
    }
    // An array would be taken for the fields in their order.
    let object = text.trim_start().starts_with('{');
    let fields: Fields = serde_json::from_str(text).ok().filter(|_| object)?;
    let commands = [
        (fields.diagnosis, "doctor"),
        (fields.known, "kat"),
        (fields.explore, "explore"),
        (fields.findings, "ct"),
    ];
    commands.into_iter().find(|(field, _)| field.0).map(|(_, command)| command)
}

/// The name and the bytes of a file, or of the first of these files in a directory.
///
/// # Errors
/// Names the file, what is wrong with it, and the remedy.
pub fn file(path: &Path, inside: &[&str], remedy: &str) -> Result<(String, Vec<u8>)> {
    let file = file_of(path, inside, remedy)?;
    let name = escape::path(&file);
    let opened = std::fs::File::open(&file);
    let opened = opened.map_err(|e| anyhow!("{name}: cannot be opened: {e}; {remedy}"))?;
    let mut bytes = Vec::new();
    let done = opened.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    done.with_context(|| format!("{name}: cannot be read"))?;
    ensure!(bytes.len() as u64 <= MOST_BYTES, "{name}: too large for a record (256 MiB); {remedy}");
    Ok((name, bytes))
}

/// The files of `capvec bench --out` that hold a record.
pub const RECORDS: [&str; 2] = ["record.json", "results.csv"];

fn file_of(path: &Path, inside: &[&str], remedy: &str) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.to_path_buf());
    }
    match inside.iter().map(|f| path.join(f)).find(|f| f.exists()) {
        Some(file) => Ok(file),
        None if path.join("runs").is_dir() => bail!(
            "{}: the sweep there is not finished; run its command again, with the same --out",
            escape::path(path)
        ),
        None => bail!("{}: contains no record; {remedy}", escape::path(path)),
    }
}

/// The record in a JSON text, whose figures can have been measured. Speeds that follow from other facts are dropped.
fn json(text: &str) -> Result<Record> {
    // An array would be taken for the values of the record's fields in their order.
    ensure!(text.trim_start().starts_with('{'), "no record in JSON: the text is not an object");
    let mut record: Record = serde_json::from_str(text).context("no record in JSON")?;
    for (what, rows) in [("", &mut record.rows), (" of speed", &mut record.speed)] {
        for (i, row) in rows.iter_mut().enumerate() {
            if row.ops_per_s.is_some() {
                row.stated_kbps = None;
            }
            figures::check(row).with_context(|| format!("row {}{what}", i + 1))?;
        }
    }
    Ok(record)
}

/// The explanations in a JSON text whose record lacks the rules that they follow from: older versions wrote such records.
fn explanations(text: &str, record: &Record) -> Result<Vec<Explanation>> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Stored {
        explanations: Vec<Explanation>,
    }
    if !record.dispatch.is_empty() {
        return Ok(Vec::new());
    }
    Ok(serde_json::from_str::<Stored>(text).context("no record in JSON")?.explanations)
}

/// The record in a file's bytes: JSON if they begin like it or are it, else CSV. Only facts are taken from it: what follows from
/// them is computed anew.
///
/// # Errors
/// They are not a record, or one in a newer format.
pub fn parse(bytes: &[u8]) -> Result<Evaluated> {
    let text = std::str::from_utf8(bytes).context("not UTF-8")?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    ensure!(!text.trim().is_empty(), "the file is empty");
    let is_json = text.trim_start().starts_with(['{', '['])
        || serde_json::from_str::<IgnoredAny>(text).is_ok();
    if let Some(command) = written_by(text) {
        bail!("it was written by `capvec {command}` and is not a record of `capvec bench`");
    }
    let mut record =
        if is_json { json(text)? } else { csv::parse(text).context("no record in CSV")? };
    supported(record.schema, SCHEMA)?;
    record.configurations.iter_mut().for_each(ConfigurationRecord::modernise);
    record.cores.iter_mut().for_each(CoreRecord::modernise);
    ensure!(!record.rows.is_empty() || !record.speed.is_empty(), "it has no rows");
    let configurations = record.configurations.len();
    ensure!(
        configurations <= MOST_CONFIGURATIONS,
        Remedied(format!(
            "it has {configurations} configurations, but at most {MOST_CONFIGURATIONS} can be shown; measure in several \
             runs"
        ))
    );
    match is_json {
        true => {
            let stored = explanations(text, &record)?;
            record.evaluate_by(over_scalar, &stored)
        }
        false => record.evaluate_by(csv::over_scalar, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(path: &Path) -> String {
        format!("{:#}", load(path).unwrap_err())
    }

    #[test]
    fn errors_name_the_file_and_the_remedy() {
        let dir = tempfile::tempdir().unwrap();
        assert!(fails(dir.path()).contains("contains no record; give a directory"));
        std::fs::create_dir(dir.path().join("runs")).unwrap();
        assert!(fails(dir.path()).contains("not finished"));
        let file = dir.path().join("x.json");
        let said = fails(&file);
        assert!(said.contains("x.json: cannot be opened: No such file or directory"), "{said}");
        assert!(said.ends_with(REMEDY), "{said}");
        for text in ["{\"rows\": 3}", "{}", "hello\n", "", "\u{feff}{\"rows\":[]}"] {
            std::fs::write(&file, text).unwrap();
            let said = fails(&file);
            assert!(said.contains("x.json: ") && said.ends_with(REMEDY), "{text}: {said}");
        }
        for text in ["[]", "[1, 2]", " [", "null", "\"case,capset,bytes\"", "3"] {
            std::fs::write(&file, text).unwrap();
            let said = fails(&file);
            assert!(said.contains("no record in JSON") && !said.contains("CSV"), "{text}: {said}");
        }
        std::fs::write(&file, "{\"schema\": 2, \"rows\": [{}]}").unwrap();
        let said = fails(&file);
        assert!(
            said.contains("its format is version 2") && said.ends_with("a newer capvec"),
            "{said}"
        );
        let many = vec!["{}"; MOST_CONFIGURATIONS + 1].join(",");
        std::fs::write(&file, format!("{{\"rows\":[{{}}],\"configurations\":[{many}]}}")).unwrap();
        assert!(fails(&file).contains("10001 configurations, but at most 10000 can be shown"));
        std::fs::write(&file, [0xff, 0xfe]).unwrap();
        assert!(fails(&file).contains("not UTF-8"));
    }

    /// What `bench` writes is read back to the last bit from JSON, and with all digits of the file from CSV.
    #[test]
    fn written_records_are_read_back() {
        let record = crate::testing::record().evaluate().unwrap();
        let json = serde_json::to_string_pretty(&record).unwrap();
        let back = parse(json.as_bytes()).unwrap();
        assert_eq!(serde_json::to_string_pretty(&back).unwrap(), json);
        let back = parse(record.csv().as_bytes()).unwrap();
        assert_eq!(back.csv(), record.csv());
    }
}
