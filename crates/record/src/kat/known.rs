//! What a library is known to fail.

use serde::{Deserialize, Serialize};

/// A known failure of some vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Known {
    /// Library.
    pub subject: String,
    /// Its series that it is known of: `3.5` is 3.5.0 and all that are patched from it.
    pub series: Vec<String>,
    /// File of the vectors.
    pub file: String,
    /// Their names.
    pub ids: Vec<String>,
    /// Extensions that the library must use, all of them; none if it fails on every set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Least VLEN that it fails at, in bits; none if it fails at every one, and without vectors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vlen_at_least: Option<u32>,
    /// The failure, as told: with the operation and the form.
    pub failure: String,
    /// Why it fails, with its source.
    pub why: String,
}

impl Known {
    /// Whether the library fails on some sets or VLENs only: then it is its code for these that is wrong, figures of
    /// that code are worth nothing, and it cannot give what the scalar path gives.
    pub fn is_of_a_path(&self) -> bool {
        !self.with.is_empty() || self.vlen_at_least.is_some()
    }

    /// What it is of, for people.
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
