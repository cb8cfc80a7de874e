//! Cases: what is measured, with known answers. The data is in `cases/*.toml`.

mod kind;
mod select;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

pub use kind::{Kind, Operation};
pub use select::{LIST, refuse_blank, spelled, unknown};
pub use select::{select, select_by};

/// The files of `cases/`, in the order in which they are shown. A file is named after its family, or its family and a
/// part of it.
const FILES: [(&str, &str); 14] = [
    ("aes", include_str!("../../../../cases/aes.toml")),
    ("aes-aead", include_str!("../../../../cases/aes-aead.toml")),
    ("aes-feedback", include_str!("../../../../cases/aes-feedback.toml")),
    ("sha", include_str!("../../../../cases/sha.toml")),
    ("sha3", include_str!("../../../../cases/sha3.toml")),
    ("shangmi", include_str!("../../../../cases/shangmi.toml")),
    ("mac", include_str!("../../../../cases/mac.toml")),
    ("chacha", include_str!("../../../../cases/chacha.toml")),
    ("keys", include_str!("../../../../cases/keys.toml")),
    ("rsa", include_str!("../../../../cases/rsa.toml")),
    ("ec", include_str!("../../../../cases/ec.toml")),
    ("ml-kem", include_str!("../../../../cases/ml-kem.toml")),
    ("ml-dsa", include_str!("../../../../cases/ml-dsa.toml")),
    ("slh-dsa", include_str!("../../../../cases/slh-dsa.toml")),
];

/// A known answer with its inputs, in hexadecimal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Where it is published.
    pub source: String,
    /// The operation.
    #[serde(default)]
    pub operation: Operation,
    /// Replaces the case's parameter.
    pub parameter: Option<String>,
    /// Key; if empty, the case's.
    #[serde(default, deserialize_with = "hexadecimal")]
    pub key: String,
    /// Initialisation vector or nonce; if empty, the case's.
    #[serde(default, deserialize_with = "hexadecimal")]
    pub iv: String,
    /// Associated data; for a verification, the signature.
    #[serde(default, deserialize_with = "hexadecimal")]
    pub aad: String,
    /// Message.
    #[serde(rename = "in", default, deserialize_with = "hexadecimal")]
    pub input: String,
    /// Result; for an AEAD, it ends with the tag.
    #[serde(default, deserialize_with = "hexadecimal")]
    pub out: String,
    /// SHA-256 of a result too long to print.
    #[serde(default, deserialize_with = "hexadecimal")]
    pub out_sha256: String,
}

/// A known answer for the message whose byte i is i mod 251, with the case's key and IV.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The operation.
    #[serde(default)]
    pub operation: Operation,
    /// Length of the message.
    pub bytes: usize,
    /// SHA-256 of the result, in hexadecimal, or [`RANDOM`].
    pub sha256: String,
}

/// In place of a digest: the result is randomised, and only the inverse operation is checked.
pub const RANDOM: &str = "random";

/// One algorithm.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name on the command line and in records.
    pub id: String,
    /// The name of its family, which is that of its file.
    #[serde(skip)]
    pub family: String,
    /// Name for display.
    pub title: String,
    /// Kind.
    pub kind: Kind,
    /// Name by which EVP fetches it.
    pub algorithm: String,
    /// An additional parameter for EVP: the tag length of an AEAD, the output length of an extendable hash, the cipher
    /// or hash of a MAC, the hash of a signature.
    #[serde(default)]
    pub parameter: String,
    /// What is measured.
    #[serde(default)]
    pub operations: Vec<Operation>,
    /// Number of operations to measure; if absent, it follows from the length of the message.
    pub repeats: Option<u64>,
    /// Takes minutes: groups leave it out, and only its own name or its family's selects it.
    #[serde(default)]
    pub on_demand: bool,
    /// Arguments with which `openssl speed` measures it; empty if it cannot.
    #[serde(default)]
    pub speed: Vec<String>,
    /// Why it is measured.
    pub why: String,
    /// Key for measurements and patterns, in hexadecimal.
    #[serde(default, deserialize_with = "hexadecimal")]
    pub key: String,
    /// Initialisation vector or nonce, likewise.
    #[serde(default, deserialize_with = "hexadecimal")]
    pub iv: String,
    /// Associated data, likewise.
    #[serde(default, deserialize_with = "hexadecimal")]
    pub aad: String,
    /// Where the patterns' answers come from.
    #[serde(default)]
    pub pattern_source: String,
    /// Known answers of the pattern message.
    #[serde(default)]
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

/// Hexadecimal, which may be broken into lines.
fn hexadecimal<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let digits: String = text.split_whitespace().collect();
    match digits.bytes().position(|b| !matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        None if digits.len().is_multiple_of(2) => Ok(digits),
        _ => Err(serde::de::Error::custom(format!("\"{text}\" is not hexadecimal"))),
    }
}

/// The message of pattern answers and measurements.
pub fn pattern_message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// Every built-in case.
pub fn all() -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (name, text) in FILES {
        let file = format!("cases/{name}.toml");
        let read = parse(text).with_context(|| file.clone())?;
        for case in read {
            if case.family != name && !name.starts_with(&format!("{}-", case.family)) {
                bail!("{file}: family is \"{}\"", case.family);
            }
            cases.push(case);
        }
    }
    Ok(cases)
}

/// The cases in the text of a file.
///
/// # Errors
/// Says what is wrong, and in which case.
pub fn parse(text: &str) -> Result<Vec<Case>> {
    let mut file: File = toml::from_str(text)?;
    for case in &mut file.case {
        case.family.clone_from(&file.family);
        if case.operations.is_empty() {
            case.operations = case.kind.operations().to_vec();
        }
        case.check().with_context(|| case.id.clone())?;
    }
    Ok(file.case)
}

impl Case {
    /// An algorithm that is not measured and has no answers of its own.
    pub fn without_answers(
        id: &str,
        family: &str,
        kind: Kind,
        algorithm: &str,
        parameter: &str,
    ) -> Case {
        Case {
            id: id.into(),
            family: family.into(),
            title: id.into(),
            kind,
            algorithm: algorithm.into(),
            parameter: parameter.into(),
            operations: kind.operations().to_vec(),
            repeats: None,
            on_demand: false,
            speed: Vec::new(),
            why: String::new(),
            key: String::new(),
            iv: String::new(),
            aad: String::new(),
            pattern_source: String::new(),
            pattern: Vec::new(),
            answer: Vec::new(),
        }
    }

    /// Whether the case can be measured with messages of this length.
    ///
    /// # Errors
    /// Says which lengths it takes: others would be measured as something else, such as a block that is never finished.
    pub fn takes(&self, bytes: usize) -> Result<(), &'static str> {
        // Ciphers with blocks of 16 bytes; for the others, the driver reports what it does not take.
        let blocks = ["AES-", "SM4-", "ARIA-", "CAMELLIA-"];
        if self.kind != Kind::Cipher || !blocks.iter().any(|b| self.algorithm.starts_with(b)) {
            return Ok(());
        }
        match self.algorithm.rsplit('-').next() {
            Some("ECB" | "CBC") if !bytes.is_multiple_of(16) => Err("a multiple of 16"),
            // IEEE 1619: a data unit has at least one block.
            Some("XTS") if bytes < 16 => Err("16 or more"),
            // And at most 2^20 blocks; OpenSSL refuses more.
            Some("XTS") if bytes > 16 << 20 => Err("16777216 or fewer"),
            _ => Ok(()),
        }
    }

    fn check(&self) -> Result<()> {
        if self.answer.is_empty() && self.pattern.is_empty() {
            bail!("has no known answer");
        }
        if self.operations.is_empty() {
            bail!("operations: name at least one operation");
        }
        if self.repeats.is_some_and(|n| !(1..=1_000_000).contains(&n)) {
            bail!("repeats: must be from 1 to 1000000");
        }
        let words = [&self.id, &self.algorithm, &self.parameter];
        if words.iter().any(|w| w.contains(char::is_whitespace)) || self.algorithm.is_empty() {
            bail!("id, algorithm and parameter must be single words");
        }
        for a in &self.answer {
            if a.out.is_empty() == a.out_sha256.is_empty() {
                bail!("answer of {}: exactly one of out and out_sha256", a.source);
            }
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
        for row in capvec_record::published::speeds::KARU64.lines().unwrap() {
            assert!(cases.iter().any(|c| c.id == row.case), "{}", row.case);
        }
    }

    #[test]
    fn every_published_kernel_belongs_to_a_case_with_its_operation() {
        let cases = all().unwrap();
        for k in capvec_record::published::kernels::kernels().unwrap() {
            let case =
                cases.iter().find(|c| c.id == k.case).unwrap_or_else(|| panic!("{}", k.case));
            let does = |d: &str| case.operations.iter().any(|o| o.name() == d);
            let all =
                if k.direction == "both" { does("enc") && does("dec") } else { does(&k.direction) };
            assert!(all, "{k:?}");
        }
    }

    /// The algorithms that the documentation promises.
    #[test]
    fn every_promised_algorithm_is_a_case() {
        let cases = all().unwrap();
        let mut promised: Vec<String> = Vec::new();
        for bits in ["128", "192", "256"] {
            let modes =
                ["ecb", "cbc", "ctr", "gcm", "ccm", "ocb", "cfb", "cfb1", "cfb8", "ofb", "key"];
            promised.extend(modes.iter().map(|m| format!("aes-{bits}-{m}")));
        }
        let sm4 = ["ecb", "cbc", "ctr", "gcm", "ccm", "cfb", "ofb", "xts", "key"];
        promised.extend(sm4.iter().map(|m| format!("sm4-{m}")));
        let rest = "aes-128-xts aes-256-xts sha1 sha224 sha256 sha384 sha512 sha3-224 sha3-256 sha3-384 sha3-512 shake128 \
            shake256 sm3 ghash gmac cmac-aes-128 cmac-aes-256 hmac-sha256 hmac-sha512 hmac-sm3 chacha20 poly1305 \
            chacha20-poly1305 rsa-2048 rsa-3072 ecdsa-p256 ecdh-p256 ecdsa-p384 ecdh-p384 x25519 ed25519 sm2 \
            ml-kem-512 ml-kem-768 ml-kem-1024 ml-dsa-44 ml-dsa-65 ml-dsa-87 slh-dsa-sha2-128f slh-dsa-sha2-128s \
            slh-dsa-shake-128f";
        promised.extend(rest.split_whitespace().map(String::from));
        for id in promised {
            let case = cases.iter().find(|c| c.id == id).unwrap_or_else(|| panic!("{id}"));
            let both = [Operation::Encrypt, Operation::Decrypt];
            if matches!(case.kind, Kind::Cipher | Kind::Aead | Kind::Setup) {
                assert!(both.iter().all(|o| case.operations.contains(o)), "{id}: both directions");
            }
        }
    }

    #[test]
    fn hexadecimal_may_be_broken_into_lines_and_must_be_whole() {
        let read = |text: &str| {
            let with = format!("source = \"x\"\nout = \"00\"\nin = \"\"\"{text}\"\"\"");
            toml::from_str::<Answer>(&with).map(|a| a.input)
        };
        assert_eq!(read("\n00ff\n 12\n").unwrap(), "00ff12");
        for bad in ["0", "0g", "00FF"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
