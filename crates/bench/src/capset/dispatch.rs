//! Which capabilities the library's dispatch asks for, for each algorithm: `cases/dispatch.toml`.

use super::known;
use crate::case::{self, Case, Operation};
use anyhow::{Context, Result, bail};
use capvec_isa::{ExtSet, isa_string};
use serde::Deserialize;

const TEXT: &str = include_str!("../../../../cases/dispatch.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "source")]
    _source: String,
    rule: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    what: String,
    algorithms: Vec<String>,
    #[serde(default)]
    operations: Vec<Operation>,
    #[serde(rename = "file")]
    _file: String,
    #[serde(default)]
    slight: bool,
    paths: Vec<String>,
}

/// How the dispatch of some algorithms chooses a path.
pub struct Rule {
    algorithms: Vec<String>,
    /// If not empty, the rule applies only to cases that measure one of these.
    operations: Vec<Operation>,
    /// The smallest sets that select a path other than the portable one, as written.
    paths: Vec<ExtSet>,
    /// Whether the choice changes the instructions by at most 2 %.
    slight: bool,
}

/// The rules of the library's dispatch.
pub struct Dispatch(Vec<Rule>);

/// Whether `name` fits `pattern`, in which `*` stands for any text. Case is ignored, as in EVP's names.
pub(crate) fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern.eq_ignore_ascii_case(name),
        Some((head, tail)) => {
            let begins = name.get(..head.len()).is_some_and(|h| h.eq_ignore_ascii_case(head));
            begins
                && (head.len()..=name.len())
                    .filter_map(|at| name.get(at..))
                    .any(|rest| fits(tail, rest))
        }
    }
}

/// The algorithm's name, and for a MAC or a signature the cipher or hash inside, which the parameter names.
fn names(case: &Case) -> [&str; 2] {
    [&case.algorithm, &case.parameter]
}

fn measures(case: &Case, operations: &[Operation]) -> bool {
    operations.is_empty() || operations.iter().any(|o| case.operations.contains(o))
}

impl Dispatch {
    /// Reads the rules.
    ///
    /// # Errors
    /// Names a rule that is broken, or that fits no case: a misspelt name would otherwise go unnoticed.
    pub fn load() -> Result<Dispatch> {
        Dispatch::parse(TEXT).context("cases/dispatch.toml")
    }

    fn parse(text: &str) -> Result<Dispatch> {
        let file: File = toml::from_str(text)?;
        let cases = case::all()?;
        for row in &file.rule {
            let measured = |c: &&Case| measures(c, &row.operations);
            for pattern in &row.algorithms {
                if !cases.iter().filter(measured).any(|c| names(c).iter().any(|n| fits(pattern, n)))
                {
                    bail!("{}: no case has an algorithm {pattern}", row.what);
                }
            }
        }
        let rules = file.rule.into_iter().map(|row| {
            let paths = row.paths.iter().map(|p| {
                let words = p.split('_').map(|w| isa_string::word(p, w));
                words.collect::<Result<Vec<_>, _>>()
            });
            let paths: Vec<Vec<ExtSet>> =
                paths.collect::<Result<_, _>>().with_context(|| row.what.clone())?;
            let union = |p: Vec<ExtSet>| p.into_iter().fold(ExtSet::EMPTY, ExtSet::union);
            let paths = paths.into_iter().map(union).collect();
            let Row { algorithms, operations, slight, .. } = row;
            Ok(Rule { algorithms, operations, paths, slight })
        });
        Ok(Dispatch(rules.collect::<Result<_>>()?))
    }

    fn rules<'a>(&'a self, case: &'a Case) -> impl Iterator<Item = &'a Rule> {
        let of = move |r: &&Rule| {
            measures(case, &r.operations)
                && r.algorithms.iter().any(|p| names(case).iter().any(|n| fits(p, n)))
        };
        self.0.iter().filter(of)
    }

    /// The smallest set for each combination of paths that the case can take; the portable path is first.
    pub fn paths(&self, case: &Case) -> Vec<ExtSet> {
        let mut sets = vec![ExtSet::EMPTY];
        for rule in self.rules(case) {
            let taken: Vec<ExtSet> =
                rule.paths.iter().flat_map(|p| sets.iter().map(|s| s.union(*p))).collect();
            sets.extend(taken);
        }
        sets
    }

    /// The sets that the rules name for the case, one for each path of each rule.
    pub fn asked(&self, case: &Case) -> Vec<ExtSet> {
        self.rules(case).flat_map(|r| r.paths.iter().copied()).collect()
    }

    /// The capabilities that appear only in rules marked `slight` (they change the cost by at most 2 %), as written.
    pub fn slight(&self, case: &Case) -> ExtSet {
        self.written(case, true).minus(self.strict(case))
    }

    /// The capabilities that appear in other rules, as written.
    pub fn strict(&self, case: &Case) -> ExtSet {
        self.written(case, false)
    }

    fn written(&self, case: &Case, slight: bool) -> ExtSet {
        let rules = self.rules(case).filter(|r| r.slight == slight);
        rules.flat_map(|r| &r.paths).fold(ExtSet::EMPTY, |s, p| s.union(*p))
    }

    /// The capabilities that the case's dispatch asks for, and those that imply one of them.
    pub fn relevant(&self, case: &Case) -> ExtSet {
        let paths = self.rules(case).flat_map(|r| &r.paths);
        let asked = paths.fold(ExtSet::EMPTY, |s, p| s.union(*p));
        let implies = |e: &capvec_isa::Ext| ExtSet::of(&[*e]).closed().intersects(asked);
        known().iter().filter(implies).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::select;
    use capvec_isa::Ext;

    fn case(id: &str) -> Case {
        select(&[id.into()]).unwrap().remove(0)
    }

    fn set(exts: &[Ext]) -> ExtSet {
        exts.iter().copied().collect()
    }

    #[test]
    fn patterns() {
        assert!(fits("AES-*-GCM", "aes-128-gcm") && fits("SM3", "SM3") && fits("X*", "X"));
        assert!(!fits("AES-*-GCM", "AES-128-CTR") && !fits("SM3", "SM3X") && !fits("*a", ""));
        assert!(fits("AES-*-GCM", "AES-é-GCM") && !fits("é*", "e"));
    }

    #[test]
    fn gcm_takes_a_path_of_aes_and_one_of_ghash() {
        let d = Dispatch::load().unwrap();
        let paths = d.paths(&case("aes-128-gcm"));
        assert_eq!(paths.len(), 3 * 7);
        assert!(paths.contains(&set(&[Ext::Zvkned, Ext::Zvkb, Ext::Zvkg])));
        assert!(paths.contains(&set(&[Ext::Zknd, Ext::Zkne, Ext::Zbc])));
    }

    #[test]
    fn a_mac_takes_the_paths_of_its_inner_cipher_or_hash() {
        let d = Dispatch::load().unwrap();
        for (mac, inside) in
            [("hmac-sha256", "sha256"), ("ghash", "aes-128-gcm"), ("hmac-sm3", "sm3")]
        {
            assert_eq!(d.relevant(&case(mac)), d.relevant(&case(inside)), "{mac}");
        }
        assert!(d.relevant(&case("poly1305")).is_empty());
    }

    #[test]
    fn extensions_that_imply_a_relevant_one_are_relevant() {
        let d = Dispatch::load().unwrap();
        let sha = set(&[Ext::Zvkb, Ext::Zvbb, Ext::Zvknha, Ext::Zvknhb]);
        assert_eq!(d.relevant(&case("sha256")), sha);
        let chacha = set(&[Ext::V, Ext::Zbb, Ext::Zvkb, Ext::Zvbb]);
        assert_eq!(d.relevant(&case("chacha20")), chacha);
    }

    #[test]
    fn a_rule_that_matches_no_case_is_refused() {
        let text = |algorithm: &str, operations: &str, path: &str| {
            format!(
                "source = \"\"\n[[rule]]\nwhat = \"X\"\nfile = \"\"\nalgorithms = [\"SM3\", \"{algorithm}\"]\n\
                 operations = [{operations}]\npaths = [\"{path}\"]\n"
            )
        };
        let refused = |text: &str| format!("{:#}", Dispatch::parse(text).err().expect("an error"));
        assert!(Dispatch::parse(&text("SLH-DSA-SHA2-*", "", "zvkb")).is_ok());
        let e = refused(&text("SLH-DSA-SHA3-*", "", "zvkb"));
        assert!(e.contains("X") && e.contains("SLH-DSA-SHA3-*"), "{e}");
        assert!(refused(&text("EC", "\"encaps\"", "zvkb")).contains("SM3"));
        assert!(refused(&text("SM3", "\"sing\"", "zvkb")).contains("sing"));
        assert!(refused(&text("SM3", "", "zvkbb")).contains("zvkbb"));
    }

    #[test]
    fn keys_and_signatures_take_the_paths_of_the_random_number_generator() {
        let d = Dispatch::load().unwrap();
        let aes = d.relevant(&case("aes-128-ctr"));
        for id in ["ecdsa-p256", "ml-kem-512"] {
            assert!(d.relevant(&case(id)).contains(aes) && d.slight(&case(id)).is_empty(), "{id}");
        }
        let named = set(&[Ext::Zknd, Ext::Zkne, Ext::Zvkned, Ext::Zvkb]);
        for id in ["ml-dsa-44", "slh-dsa-shake-128f"] {
            assert!(d.relevant(&case(id)).contains(aes), "{id}");
            assert_eq!(d.slight(&case(id)), named, "{id}");
        }
        // SHA-256 and SM3 depend on Zvkb, too.
        for id in ["slh-dsa-sha2-128f", "sm2"] {
            assert_eq!(d.slight(&case(id)), named.minus(set(&[Ext::Zvkb])), "{id}");
        }
        // The dispatch of these algorithms asks for no capability.
        for id in ["ecdh-p256", "rsa-2048"] {
            assert!(!d.relevant(&case(id)).intersects(set(&[Ext::Zkne])), "{id}");
        }
    }

    #[test]
    fn rules_name_only_capabilities_of_the_library() {
        let d = Dispatch::load().unwrap();
        for rule in &d.0 {
            for p in &rule.paths {
                assert!(known().contains(*p), "{p}");
            }
        }
    }
}
