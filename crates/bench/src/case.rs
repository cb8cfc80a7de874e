//! Cases: what is measured, with known answers. Data in `cases/*.toml`.

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The families of `cases/`, in the order in which they are shown.
const FILES: [(&str, &str); 4] = [
    ("aes", include_str!("../../../cases/aes.toml")),
    ("sha2", include_str!("../../../cases/sha2.toml")),
    ("shangmi", include_str!("../../../cases/shangmi.toml")),
    ("chacha20", include_str!("../../../cases/chacha20.toml")),
];

/// What sort of algorithm: which interface of the library serves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A block or stream cipher in a mode without authentication.
    Cipher,
    /// Authenticated encryption with associated data.
    Aead,
    /// A hash.
    Digest,
    /// A message authentication code.
    Mac,
}

impl Kind {
    /// As the driver calls it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Cipher => "cipher",
            Kind::Aead => "aead",
            Kind::Digest => "digest",
            Kind::Mac => "mac",
        }
    }

    /// Whether there is a way back.
    pub fn has_decryption(self) -> bool {
        matches!(self, Kind::Cipher | Kind::Aead)
    }
}

/// A known answer with its inputs, in hexadecimal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Where it is published.
    pub source: String,
    /// Key, empty if there is none.
    #[serde(default)]
    pub key: String,
    /// Initialisation vector or nonce.
    #[serde(default)]
    pub iv: String,
    /// Associated data.
    #[serde(default)]
    pub aad: String,
    /// Message.
    #[serde(rename = "in")]
    pub input: String,
    /// Result; an AEAD's ends with the tag.
    pub out: String,
}

/// A known answer for the message whose byte i is i mod 251, with the case's key and IV.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Length of the message.
    pub bytes: usize,
    /// SHA-256 of the result, in hexadecimal.
    pub sha256: String,
}

/// One algorithm.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name on the command line and in records.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// Sort.
    pub kind: Kind,
    /// Name by which EVP fetches it; of a GMAC, its cipher.
    pub algorithm: String,
    /// Arguments of `openssl speed` that measure it.
    pub speed: Vec<String>,
    /// Why it is measured.
    pub why: String,
    /// Key for measurements and patterns, in hexadecimal.
    #[serde(default)]
    pub key: String,
    /// Likewise.
    #[serde(default)]
    pub iv: String,
    /// Likewise.
    #[serde(default)]
    pub aad: String,
    /// Where the patterns' answers come from.
    pub pattern_source: String,
    /// Known answers of the pattern message.
    pub pattern: Vec<Pattern>,
    /// Published known answers.
    #[serde(default)]
    pub answer: Vec<Answer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    family: String,
    case: Vec<Case>,
}

/// The message of pattern answers and measurements.
pub fn pattern_message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// Every case.
pub fn all() -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    for (name, text) in FILES {
        let file: File = toml::from_str(text).with_context(|| format!("cases/{name}.toml"))?;
        if file.family != name {
            bail!("cases/{name}.toml: family is \"{}\"", file.family);
        }
        for case in &file.case {
            case.check().with_context(|| format!("cases/{name}.toml: {}", case.id))?;
        }
        cases.extend(file.case);
    }
    Ok(cases)
}

/// The cases of these names; all for an empty list.
pub fn select(names: &[String]) -> Result<Vec<Case>> {
    let all = all()?;
    if names.is_empty() {
        return Ok(all);
    }
    let mut chosen = Vec::new();
    for name in names {
        match all.iter().find(|c| c.id == *name) {
            Some(c) => chosen.push(c.clone()),
            None => {
                let known: Vec<_> = all.iter().map(|c| c.id.as_str()).collect();
                bail!("--cases {name}: no such case; the cases are {}", known.join(", "));
            }
        }
    }
    Ok(chosen)
}

impl Case {
    fn check(&self) -> Result<()> {
        let a = self.answer.iter();
        let hex = a.flat_map(|a| [&a.key, &a.iv, &a.aad, &a.input, &a.out]);
        for h in hex.chain([&self.key, &self.iv, &self.aad]) {
            hex::decode(h).with_context(|| format!("\"{h}\" is not hexadecimal"))?;
        }
        if self.pattern.is_empty() {
            bail!("has no known answer");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_row_is_a_case() {
        let cases = all().unwrap();
        for row in crate::published::karu64().unwrap() {
            assert!(cases.iter().any(|c| c.id == row.case), "{}", row.case);
        }
    }

    #[test]
    fn an_unknown_case_is_named() {
        let e = select(&["aes-127".into()]).unwrap_err().to_string();
        assert!(e.contains("aes-127") && e.contains("aes-128-ecb"), "{e}");
    }
}
