//! Known failures of libraries.

use serde::{Deserialize, Serialize};

/// A known failure of some vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Known {
    /// Library.
    pub subject: String,
    /// The release series that fails: `3.5` is 3.5.0 and its patch releases.
    pub series: Vec<String>,
    /// File of the vectors.
    pub file: String,
    /// Their names.
    pub ids: Vec<String>,
    /// Extensions that the library must use, all of them; none if it fails on every set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Smallest VLEN in bits at which it fails; none if it fails at every VLEN and without vector instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vlen_at_least: Option<u32>,
    /// The failure as `capvec kat` reports it, with the operation and the form.
    pub failure: String,
    /// Why it fails, with its source.
    pub why: String,
}

impl Known {
    /// Whether the library fails only on some sets or VLENs. Its code for these is then wrong: figures of that code are
    /// worthless, and its output is not compared with that of the scalar path.
    pub fn is_of_a_path(&self) -> bool {
        !self.with.is_empty() || self.vlen_at_least.is_some()
    }

    /// The library and the series, for people.
    pub fn title(&self) -> String {
        let mut text = format!("{} {}", self.subject, self.series.join(", "));
        if !self.with.is_empty() {
            text += &format!(" with {}", self.with.join(" "));
        }
        match self.vlen_at_least {
            Some(least) => text + &format!(" at VLEN {least} and above"),
            None => text,
        }
    }
}
