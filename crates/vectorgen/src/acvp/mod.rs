//! Vectors of NIST's ACVP for post-quantum algorithms, from the files that its server publishes: in a folder for each suite, the
//! questions are `prompt.json` and the answers `expectedResults.json`. They are not in any crate, so `make vectors` does not write
//! these files: `capvec-vectorgen --acvp DIR` does, and `--acvp DIR OUT` writes all vectors, where the repository has a selection.

mod kem;
mod keys;
mod signature;

use crate::write::File;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;

/// NIST's licence of ACVP-Server: works of its employees are not subject to copyright in the United States.
const LICENCE: &str =
    "public domain (a work of the U.S. National Institute of Standards and Technology)";

/// Path and text of every file; `all` the vectors, or a selection.
///
/// # Errors
/// Names the file of `dir` that cannot be read.
pub fn files(dir: &Path, all: bool) -> Result<Vec<(String, String)>> {
    let limit = Limit { all };
    let mut files = vec![("vectors/acvp/ml-kem.txt".into(), kem::file(dir, limit)?)];
    for (family, suite) in [("ml-dsa", "FIPS204"), ("slh-dsa", "FIPS205")] {
        files.push((format!("vectors/acvp/{family}.txt"), keys::file(dir, limit, family, suite)?));
    }
    files.push(("vectors/signatures/acvp.txt".into(), signature::file(dir, limit)?));
    Ok(files)
}

/// How many vectors are written.
#[derive(Clone, Copy)]
struct Limit {
    all: bool,
}

impl Limit {
    /// At most `most` tests of each kind, those that take the fewest digits; in the order of their numbers.
    fn select<K: std::hash::Hash + Eq>(
        self,
        mut tests: Vec<Test>,
        most: usize,
        kind: impl Fn(&Test) -> K,
    ) -> Vec<Test> {
        if self.all {
            return tests;
        }
        let mut seen: HashMap<K, usize> = HashMap::new();
        tests.sort_by_key(Test::digits);
        tests.retain(|t| {
            let n = seen.entry(kind(t)).or_default();
            *n += 1;
            *n <= most
        });
        tests.sort_by_key(|t| t.number("tcId"));
        tests
    }
}

/// A test: its own fields, its answers and those of its group.
struct Test(Map<String, Value>);

impl Test {
    /// Bytes; none if there is no such field.
    fn bytes(&self, name: &str) -> Vec<u8> {
        hex::decode(self.text(name)).unwrap_or_default()
    }

    fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn number(&self, name: &str) -> u64 {
        self.0.get(name).and_then(Value::as_u64).unwrap_or_default()
    }

    fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The name of the parameter set in `vectors/`.
    fn algorithm(&self) -> String {
        self.text("parameterSet").to_ascii_lowercase()
    }

    /// Digits of all fields.
    fn digits(&self) -> usize {
        self.0.values().filter_map(Value::as_str).map(str::len).sum()
    }
}

/// The tests of a suite, such as `ML-KEM-keyGen-FIPS203`.
fn tests(dir: &Path, suite: &str) -> Result<Vec<Test>> {
    let read = |file: &str| -> Result<Vec<Value>> {
        let path = dir.join(suite).join(file);
        let fail = || format!("reading {}", path.display());
        let text = std::fs::read_to_string(&path).with_context(fail)?;
        let value: Value = serde_json::from_str(&text).with_context(fail)?;
        list(&value, "testGroups").with_context(fail)
    };
    let mut answers: HashMap<u64, Map<String, Value>> = HashMap::new();
    for group in read("expectedResults.json")? {
        for answer in list(&group, "tests")? {
            let Value::Object(fields) = answer else { bail!("{suite}: a test is not an object") };
            let id = fields.get("tcId").and_then(Value::as_u64).context("a test has no tcId")?;
            answers.insert(id, fields);
        }
    }
    let mut tests = Vec::new();
    for group in read("prompt.json")? {
        let mut common = group.as_object().cloned().unwrap_or_default();
        common.remove("tests");
        for test in list(&group, "tests")? {
            let mut merged = common.clone();
            merged.extend(test.as_object().cloned().unwrap_or_default());
            let id = merged.get("tcId").and_then(Value::as_u64).unwrap_or_default();
            let answer =
                answers.get(&id).with_context(|| format!("{suite}: no answer to test {id}"))?;
            merged.extend(answer.clone());
            tests.push(Test(merged));
        }
    }
    Ok(tests)
}

fn list(value: &Value, name: &str) -> Result<Vec<Value>> {
    value.get(name).and_then(Value::as_array).cloned().with_context(|| format!("no list {name}"))
}

/// Starts a file.
fn start(about: &str, suites: &str, limit: Limit) -> File {
    let note = if limit.all { "" } else { "; a selection" };
    File::imported(about, &format!("NIST ACVP-Server, {suites}{note}"), LICENCE)
}
