//! What is secret and what is public in the cases: `cases/secrets.toml`.

use crate::capset::fits;
use crate::case::{Case, Kind, Operation};
use anyhow::{Context, Result, bail};
use capvec_ct::{Argument, InFunction, Kind as Finding, Marks, Suppressions};
use serde::Deserialize;

const TEXT: &str = include_str!("../../../../cases/secrets.toml");

/// The rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    key: Vec<Key>,
    #[serde(default)]
    public: Vec<Public>,
    #[serde(default)]
    harmless: Vec<Harmless>,
    #[serde(default)]
    varies: Vec<Varies>,
}

/// Operations whose time depends on what is public.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Varies {
    algorithms: Vec<String>,
    operations: Vec<Operation>,
    why: String,
}

/// Which bytes of private keys are secret.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    algorithms: Vec<String>,
    /// Where they begin, from the end of the key.
    end: usize,
    bytes: usize,
    why: String,
}

/// What a library's function makes public: its result, or what an argument points to when it is called and when it returns.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Public {
    subject: String,
    algorithms: Vec<String>,
    function: String,
    argument: Option<u8>,
    bytes: Option<u64>,
    why: String,
}

/// Findings in a library's function that reveal no secret.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Harmless {
    subject: String,
    algorithms: Vec<String>,
    kind: Finding,
    function: String,
    /// Only at instructions with this mnemonic.
    instruction: Option<String>,
    why: String,
}

fn applies(patterns: &[String], case: &Case) -> bool {
    // ECDH, ECDSA and SM2 keys have an algorithm of their own in EVP; cases are named by what is done with them.
    patterns.iter().any(|p| fits(p, &case.algorithm) || fits(p, &case.id))
}

impl Rules {
    /// Reads the rules.
    ///
    /// # Errors
    /// Names a rule that is broken.
    pub fn load() -> Result<Rules> {
        Rules::parse(TEXT).context("cases/secrets.toml")
    }

    fn parse(text: &str) -> Result<Rules> {
        let rules: Rules = toml::from_str(text)?;
        let keys = rules.key.iter().map(|k| (&k.algorithms, &k.why));
        let public = rules.public.iter().map(|p| (&p.algorithms, &p.why));
        let harmless = rules.harmless.iter().map(|h| (&h.algorithms, &h.why));
        let varies = rules.varies.iter().map(|v| (&v.algorithms, &v.why));
        for p in &rules.public {
            match (p.argument, p.bytes) {
                (Some(_), None) => bail!("{}: `argument` without `bytes`", p.function),
                (None, Some(_)) => bail!("{}: `bytes` without `argument`", p.function),
                (Some(_), Some(_)) | (None, None) => {}
            }
        }
        for (algorithms, why) in keys.chain(public).chain(harmless).chain(varies) {
            if why.is_empty() {
                bail!("{}: `why` is empty: give the reason", algorithms.join(", "));
            }
        }
        Ok(rules)
    }

    /// The secret parts of a job with a private key of this length, as the driver reads them; `None` if nothing is secret, or
    /// no rule says which bytes of the key are.
    pub fn parts(&self, case: &Case, operation: Operation, key: usize) -> Option<String> {
        match (case.kind, operation) {
            (Kind::Digest, _) => return Some("in".into()),
            (Kind::Pkey, Operation::Keygen | Operation::Encaps) => return Some("in".into()),
            (Kind::Pkey, Operation::Verify) | (Kind::Tls, _) => return None,
            (Kind::Pkey, _) => {}
            // A ciphertext is public.
            (_, Operation::Decrypt) => return Some("key".into()),
            _ => return Some("key,in".into()),
        }
        let rule = self.key.iter().find(|k| applies(&k.algorithms, case))?;
        Some(format!("key:{}:{}", key.checked_sub(rule.end)?, rule.bytes))
    }

    /// What is public in this case.
    pub fn marks(&self, case: &Case, subject: &str) -> Marks {
        let mut marks = Marks::default();
        let own = |p: &&Public| p.subject == subject && applies(&p.algorithms, case);
        for p in self.public.iter().filter(own) {
            match (p.argument, p.bytes) {
                (Some(index), Some(bytes)) => {
                    marks.public.push(Argument { function: p.function.clone(), index, bytes });
                }
                _ => marks.results.push(p.function.clone()),
            }
        }
        marks
    }

    /// Why the cycles of an operation may vary with random keys and inputs, if they may.
    pub fn may_vary(&self, case: &Case, operation: Operation) -> Option<&str> {
        let own = |v: &&Varies| applies(&v.algorithms, case) && v.operations.contains(&operation);
        self.varies.iter().find(own).map(|v| v.why.as_str())
    }

    /// The findings of this case that are harmless.
    pub fn suppressions(&self, case: &Case, subject: &str) -> Suppressions {
        let own = |h: &&Harmless| h.subject == subject && applies(&h.algorithms, case);
        let own = self.harmless.iter().filter(own);
        let in_function = |h: &Harmless| InFunction {
            kind: h.kind,
            function: h.function.clone(),
            instruction: h.instruction.clone(),
            reason: h.why.clone(),
        };
        own.map(in_function).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case;

    #[test]
    fn broken_rules_are_refused() {
        let refused = |fields: &str| {
            let rule = "subject = 'capvec'\nalgorithms = ['ML-KEM-*']\nfunction = 'f'";
            let text = format!("key = []\n[[public]]\n{rule}\n{fields}\n");
            Rules::parse(&text).err().map(|e| e.to_string())
        };
        let is = |text: &str| Some(text.to_string());
        assert_eq!(refused("why = 'w'"), None);
        assert_eq!(refused("why = 'w'\nargument = 1\nbytes = 2"), None);
        assert_eq!(refused("why = 'w'\nargument = 1"), is("f: `argument` without `bytes`"));
        assert_eq!(refused("why = 'w'\nbytes = 2"), is("f: `bytes` without `argument`"));
        assert_eq!(refused("why = ''"), is("ML-KEM-*: `why` is empty: give the reason"));
    }

    /// The case may be one of capvec's own, or one of the parameter sets that are measured only on demand.
    #[test]
    fn every_rule_applies_to_a_case() {
        let rules = Rules::load().unwrap();
        let sets = case::parse(include_str!("../../../../examples/slh-dsa-sets.toml")).unwrap();
        let cases: Vec<Case> = case::all().unwrap().into_iter().chain(sets).collect();
        let public = rules.public.iter().flat_map(|p| &p.algorithms);
        let harmless = rules.harmless.iter().flat_map(|h| &h.algorithms);
        let others = rules.key.iter().flat_map(|k| &k.algorithms);
        let varies = rules.varies.iter().flat_map(|v| &v.algorithms);
        for pattern in public.chain(harmless).chain(others).chain(varies) {
            let applied = cases.iter().any(|c| applies(std::slice::from_ref(pattern), c));
            assert!(applied, "no case has an algorithm {pattern}");
        }
    }

    /// Private keys of post-quantum algorithms and curves are known to the byte.
    #[test]
    fn secret_bytes_are_those_of_the_standards() {
        let rules = Rules::load().unwrap();
        let cases = case::all().unwrap();
        let parts = |id: &str, operation| {
            let case = cases.iter().find(|c| c.id == id).unwrap();
            rules.parts(case, operation, case.key.len() / 2)
        };
        let is = |text: &str| Some(text.to_string());
        assert_eq!(parts("ml-kem-768", Operation::Decaps), is("key:22:64"));
        assert_eq!(parts("ml-dsa-65", Operation::Sign), is("key:22:32"));
        assert_eq!(parts("slh-dsa-shake-128f", Operation::Sign), is("key:20:32"));
        assert_eq!(parts("x25519", Operation::Derive), is("key:16:32"));
        assert_eq!(parts("ecdsa-p256", Operation::Sign), is("key:35:32"));
        assert_eq!(parts("ecdsa-p384", Operation::Sign), is("key:32:48"));
        assert_eq!(parts("ml-dsa-65", Operation::Verify), None);
        assert_eq!(parts("rsa-2048", Operation::Sign), None);
        assert_eq!(parts("aes-128-gcm", Operation::Decrypt), is("key"));
    }
}
