//! Reading the files of cases.

use super::Case;
use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The files of `cases/`, in the order in which they are shown. A file is named after its family, or its family and a
/// part of it.
const FILES: [(&str, &str); 15] = [
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
    ("tls13", include_str!("../../../../cases/tls13.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    family: String,
    case: Vec<Case>,
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
    let known = cases.clone();
    share_keys(&mut cases, &known)?;
    Ok(cases)
}

/// Copies the key of the case that `key_of` names.
pub fn share_keys(cases: &mut [Case], known: &[Case]) -> Result<()> {
    for case in cases.iter_mut().filter(|c| !c.key_of.is_empty()) {
        let owner = known.iter().find(|c| c.id == case.key_of);
        let fail = || format!("{}: key_of: there is no case {}", case.id, case.key_of);
        case.key = owner.with_context(fail)?.key.clone();
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Answer, Kind, Operation};

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
