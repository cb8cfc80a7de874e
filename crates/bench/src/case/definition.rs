//! What a case is, and its known answers.

use super::kind::{Kind, Operation};
use anyhow::{Result, bail};
use capvec_guest::LibraryKind;
use serde::Deserialize;

/// Hexadecimal, which may be broken into lines.
fn hexadecimal<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let digits: String = text.split_whitespace().collect();
    match digits.bytes().position(|b| !matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        None if digits.len().is_multiple_of(2) => Ok(digits),
        _ => Err(serde::de::Error::custom(format!("\"{text}\" is not hexadecimal"))),
    }
}

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
    /// Number of attempts for each measured signature, if it varies, as for ML-DSA: of the driver's messages from the third on.
    /// It depends on key and message alone.
    #[serde(default)]
    pub attempts: Vec<u32>,
    /// The case of `cases/` whose key this one uses.
    #[serde(default)]
    pub key_of: String,
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

/// Whether one of these cases is a connection.
pub fn has_connections(cases: &[Case]) -> bool {
    cases.iter().any(|c| c.kind == Kind::Tls)
}

/// The message of pattern answers and measurements.
pub fn pattern_message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// The driver has 256 different messages, and signs the first two to warm up.
const MOST_ATTEMPTS: usize = 254;

/// The parameter of a cipher with PKCS #7 padding, for which there are vectors but no cases.
const PADDED: &str = "pad";

/// How names of post-quantum algorithms begin. libcapvec has no other public-key algorithms.
const POST_QUANTUM: [&str; 3] = ["ML-KEM-", "ML-DSA-", "SLH-DSA-"];

impl Case {
    /// Whether it is in the group `pqc`.
    pub fn is_post_quantum(&self) -> bool {
        POST_QUANTUM.iter().any(|begin| self.algorithm.starts_with(begin))
    }

    /// Whether groups of cases include it. Other cases run only if they or their family are named.
    pub fn is_in_groups(&self) -> bool {
        !self.on_demand && self.kind != Kind::Tls
    }

    /// Whether a library has the algorithm, as far as that is known without asking it; true unless it is a packaged library.
    pub fn is_in_packaged(&self, kind: LibraryKind) -> bool {
        kind.packaged().is_none() || self.is_in(kind)
    }

    /// Whether a library is expected to have the algorithm.
    pub fn is_in(&self, kind: LibraryKind) -> bool {
        match kind {
            LibraryKind::Capvec => {
                !matches!(self.kind, Kind::Pkey | Kind::Tls) || self.is_post_quantum()
            }
            // OpenSSL has cSHAKE since 4.0 only.
            LibraryKind::OpenSsl | LibraryKind::Provider => !self.algorithm.starts_with("CSHAKE"),
            LibraryKind::Packaged(library) => match self.kind {
                Kind::Cipher | Kind::Aead | Kind::Setup | Kind::Digest => {
                    self.parameter != PADDED && library.offers(&self.algorithm, "")
                }
                Kind::Mac => library.offers(&self.algorithm, &self.parameter),
                Kind::Pkey | Kind::Tls => false,
            },
        }
    }

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
            attempts: Vec::new(),
            key_of: String::new(),
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
        // Ciphers with blocks of 16 bytes; for the others, the driver reports what it does not accept.
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

    pub(super) fn check(&self) -> Result<()> {
        if self.answer.is_empty() && self.pattern.is_empty() {
            bail!("has no known answer");
        }
        if self.operations.is_empty() {
            bail!("operations: name at least one operation");
        }
        if self.repeats.is_some_and(|n| !(1..=1_000_000).contains(&n)) {
            bail!("repeats: must be from 1 to 1000000");
        }
        if self.attempts.contains(&0) || self.attempts.len() > MOST_ATTEMPTS {
            bail!("attempts: 1 or more for each of at most {MOST_ATTEMPTS} messages");
        }
        let words = [&self.id, &self.algorithm, &self.parameter];
        if words.iter().any(|w| w.contains(char::is_whitespace)) || self.algorithm.is_empty() {
            bail!("id, algorithm and parameter must be single words");
        }
        for a in &self.answer {
            if a.out.is_empty() == a.out_sha256.is_empty() {
                bail!("answer of {}: give exactly one of out and out_sha256", a.source);
            }
        }
        Ok(())
    }
}
