//! The result of one algorithm in one configuration.

use serde::{Deserialize, Serialize};

/// A vector that failed, and how to reproduce it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Failure {
    /// File of the vector.
    pub file: String,
    /// Its name in that file.
    pub id: String,
    /// The form that fails, and how.
    pub what: String,
    /// Commands and data that reproduce it.
    pub reproduce: String,
}

/// One algorithm in one configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Row {
    /// Algorithm.
    pub algorithm: String,
    /// Capability set.
    pub capset: String,
    /// The capability string that the library was given; empty if it detected capabilities by itself.
    pub capstring: String,
    /// VLEN in bits; none without vector instructions.
    pub vlen: Option<u32>,
    /// What agnostic elements became, `undisturbed` or `ones`; none without vector instructions.
    pub agnostic: Option<String>,
    /// Number of vectors.
    pub vectors: usize,
    /// Number of checks: a vector is checked in several forms.
    pub checks: u64,
    /// Vectors that passed.
    pub passed: usize,
    /// Vectors that failed.
    pub failed: usize,
    /// Vectors that failed in a known way.
    pub known: usize,
    /// Vectors that were compared with the scalar path: none for that path itself, and none that this set is known to
    /// get wrong.
    pub compared: usize,
    /// Vectors among these whose result differs from the scalar path's.
    pub unlike_scalar: usize,
    /// Vectors of algorithms that the library does not have.
    pub absent: usize,
    /// Vectors that must be refused, and whose key, IV or parameter was refused before the operation.
    pub early: usize,
    /// Files, with the operation, whose vectors were all refused in this way: nothing was tested.
    pub untested: Vec<String>,
    /// The first vector that failed; if there is none, the first that failed in a known way.
    pub failure: Option<Failure>,
}

/// Columns of the CSV, in order.
pub(super) const COLUMNS: [&str; 17] = [
    "algorithm",
    "capset",
    "capstring",
    "vlen",
    "agnostic",
    "vectors",
    "checks",
    "passed",
    "failed",
    "known",
    "unlike_scalar",
    "absent",
    "early",
    "untested",
    "file",
    "id",
    "failure",
];

impl Row {
    /// Whether every vector was tested, none failed except in a known way, and none differs from the scalar path.
    pub fn good(&self) -> bool {
        self.failed == 0 && self.unlike_scalar == 0 && self.absent == 0 && self.untested.is_empty()
    }

    /// The configuration, for people.
    pub fn place(&self) -> String {
        match (self.vlen, &self.agnostic) {
            (Some(vlen), Some(a)) => format!("{} at VLEN {vlen}, agnostic {a}", self.capset),
            (Some(vlen), None) => format!("{} at VLEN {vlen}", self.capset),
            _ => self.capset.clone(),
        }
    }

    /// The fields in the order of `COLUMNS`.
    pub fn fields(&self) -> [String; 17] {
        let f = self.failure.as_ref();
        let of = |get: fn(&Failure) -> &String| f.map_or(String::new(), |f| quoted(get(f)));
        [
            self.algorithm.clone(),
            self.capset.clone(),
            self.capstring.clone(),
            self.vlen.map_or(String::new(), |v| v.to_string()),
            self.agnostic.clone().unwrap_or_default(),
            self.vectors.to_string(),
            self.checks.to_string(),
            self.passed.to_string(),
            self.failed.to_string(),
            self.known.to_string(),
            self.unlike_scalar.to_string(),
            self.absent.to_string(),
            self.early.to_string(),
            quoted(&self.untested.join(" ")),
            of(|f| &f.file),
            of(|f| &f.id),
            of(|f| &f.what),
        ]
    }
}

/// A CSV field (RFC 4180).
fn quoted(s: &str) -> String {
    format!("\"{}\"", s.replace('"', "\"\""))
}
