//! What the stock library is known to fail: `vectors/openssl.toml`.

use super::format::Vector;
use crate::capset::CapSet;
use crate::run::Runner;
use anyhow::{Context, Result, bail};
use capvec_guest::Subject;
use capvec_isa::Ext;
use serde::{Deserialize, Serialize};

const TEXT: &str = include_str!("../../../../vectors/openssl.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    known: Vec<Known>,
}

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

/// What is known of the library that `runner` checks.
///
/// # Errors
/// As [`Runner::version`]; or the file is broken.
pub fn of(runner: &Runner) -> Result<Vec<Known>> {
    match runner.target().subject() {
        Subject::OpenSsl => known(runner.version()?),
        Subject::Capvec | Subject::Provider => Ok(Vec::new()),
    }
}

/// What is known of OpenSSL of this version, such as `3.5.7`.
///
/// # Errors
/// The file is broken.
fn known(version: &str) -> Result<Vec<Known>> {
    Ok(all()?.into_iter().filter(|k| k.is_of(version)).collect())
}

/// What is known of any version.
///
/// # Errors
/// The file is broken.
pub fn all() -> Result<Vec<Known>> {
    let file: File = toml::from_str(TEXT).context("vectors/openssl.toml")?;
    if let Some(e) = file.known.iter().flat_map(|k| &k.with).find(|e| Ext::from_name(e).is_none()) {
        bail!("vectors/openssl.toml: there is no extension {e}");
    }
    Ok(file.known)
}

impl Known {
    fn is_of(&self, version: &str) -> bool {
        let of = |s: &String| version.strip_prefix(s.as_str()).is_some_and(|r| r.starts_with('.'));
        self.series.iter().any(of)
    }

    /// Whether it is of this vector.
    pub(super) fn names(&self, v: &Vector) -> bool {
        self.file == v.file && self.ids.contains(&v.id)
    }

    /// Whether this failure of this vector on this set is the known one.
    pub fn is(&self, v: &Vector, failure: &str, vlen: Option<u32>, capset: &CapSet) -> bool {
        let uses = |e: &String| Ext::from_name(e).is_some_and(|e| capset.expected.has(e));
        self.names(v)
            && failure == self.failure
            && self.with.iter().all(uses)
            && self.vlen_at_least.is_none_or(|least| vlen.is_some_and(|v| v >= least))
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kat::Vectors;

    #[test]
    fn a_limit_is_one_of_its_series_only() {
        let n = |version: &str| known(version).unwrap().len();
        assert!(n("3.5.7") > 0 && n("3.5.7") == n("3.5.0"));
        for other in ["3.4.1", "3.50.1", "3.5", "4.0.0", ""] {
            assert_eq!(n(other), 0, "{other}");
        }
    }

    #[test]
    fn a_limit_of_a_path_is_one_of_its_sets_and_vlens_only() {
        let known = known("3.5.7").unwrap();
        let k = known.iter().find(|k| k.is_of_a_path()).unwrap();
        assert_eq!(k.title(), "OpenSSL 3.5 with zvbb zvkg zvkned at VLEN 2048 and above");
        let vectors =
            Vectors::load(&["aes-128-xts".into()], None, Subject::OpenSsl).unwrap().vectors;
        let v = vectors.iter().find(|v| v.id == "aes-128-xts/in/2047").unwrap();
        let is = |vlen, caps: &str| {
            let capset = CapSet::parse(caps, &"rv64gcv".parse().unwrap()).unwrap();
            k.is(v, &k.failure, vlen, &capset)
        };
        assert!(is(Some(2048), "full") && is(Some(65536), "zvbb_zvkg_zvkned"));
        assert!(!is(Some(1024), "full") && !is(None, "full"));
        // Also where the hart could, but the library does not: `auto` here has no more than V.
        for caps in ["zvkb_zvkg_zvkned", "zvbb_zvkned", "zvbb_zvkg", "scalar", "auto"] {
            assert!(!is(Some(2048), caps), "{caps}");
        }
        let full = CapSet::parse("full", &"rv64gcv".parse().unwrap()).unwrap();
        assert!(!k.is(v, "decrypt, one update: wrong by its FNV-1a", Some(2048), &full));
        let other = vectors.iter().find(|v| v.id == "aes-128-xts/in/1031").unwrap();
        assert!(!k.is(other, &k.failure, Some(2048), &full));
    }
}
