//! Published counts of BoringSSL's Kyber and Dilithium: `published/boringssl_pqc_instret.csv`. ML-KEM and ML-DSA are what
//! standardisation made of them: the parameters are the same, details of hashing and encoding are not.

use crate::Row;
use crate::sets::{hart, on_baseline, words};
use anyhow::{Context, Result};
use capvec_isa::{Ext, ExtSet};

const FILE: &str = include_str!("../../../../published/boringssl_pqc_instret.csv");

/// The cases that the schemes became.
const CASES: [(&str, &str); 2] = [("Kyber-768", "ml-kem-768"), ("Dilithium3", "ml-dsa-65")];

/// The published sets, each with the capability sets that correspond to it. The source's instruction for Keccak is an
/// earlier draft of the one in `zvknhk0p2`.
const SETS: [(&str, &[&str]); 4] = [
    ("rv64gc", &[""]),
    ("+zbb", &["zbb"]),
    ("+v_zbb_zvbb", &["v_zbb_zvbb"]),
    ("+zvkeccak", &["v_zbb_zvbb_zvknhk0p1", "v_zbb_zvbb_zvknhk0p2"]),
];

/// VLEN of the published counts, in bits.
const VLEN: u32 = 256;

/// A published count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The scheme.
    pub scheme: &'static str,
    /// The set, as the source names it.
    pub set: &'static str,
    /// Retired instructions of an operation.
    pub insns: u64,
}

/// The extensions of a capability set by the names in [`SETS`].
fn exts(names: &str) -> Option<ExtSet> {
    match names {
        "" => Some(on_baseline(ExtSet::EMPTY)),
        names => Some(on_baseline(words(names).ok()?)),
    }
}

/// The published count for the same operation with the same extensions. Without V it holds at every VLEN.
///
/// # Errors
/// The published file cannot be read.
pub fn find(row: &Row) -> Result<Option<Published>> {
    let Some((scheme, _)) = CASES.into_iter().find(|(_, case)| *case == row.case) else {
        return Ok(None);
    };
    let Some(own) = hart(&row.capset) else { return Ok(None) };
    let same = |names: &&str| exts(names) == Some(own);
    let place = SETS.iter().position(|(_, sets)| sets.iter().any(same));
    let Some(place) = place.filter(|_| row.vlen == VLEN || !own.has(Ext::V)) else {
        return Ok(None);
    };
    let line = lines().find(|l| l[0] == scheme && l[1] == row.direction);
    let Some(line) = line else { return Ok(None) };
    let field = line.get(2 + place).with_context(|| format!("{scheme}: a column is missing"))?;
    let insns = field.parse().with_context(|| format!("{scheme}: \"{field}\" is no count"))?;
    Ok(Some(Published { scheme, set: SETS[place].0, insns }))
}

/// The fields of each line: scheme, operation, and a count for each of [`SETS`].
fn lines() -> impl Iterator<Item = Vec<&'static str>> {
    let lines = super::rows(FILE);
    lines.map(|l| l.split(',').collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::row;

    const README: &str = include_str!("../../../../published/README.md");

    #[test]
    fn columns_and_unit_are_as_expected() {
        let mut text = FILE.lines();
        let comment = text.next().unwrap();
        assert!(comment.starts_with("# BoringSSL cf4f615 ("), "{comment}");
        assert!(comment.contains(&format!("vlen:{VLEN} ")), "{comment}");
        assert!(comment.ends_with("Retired instructions per operation."), "{comment}");
        let head = format!("scheme,operation,{}", SETS.map(|(name, _)| name).join(","));
        assert_eq!(text.next(), Some(head.as_str()));
        let named: Vec<_> = lines().map(|l| (l[0], l[1])).collect();
        let kem = ["keygen", "encaps", "decaps"].map(|o| ("Kyber-768", o));
        let signature = ["keygen", "sign", "verify"].map(|o| ("Dilithium3", o));
        assert_eq!(named, [kem, signature].concat());
        let counts = |l: &Vec<&str>| l[2..].iter().all(|n| n.parse::<u64>().is_ok_and(|n| n > 0));
        assert!(lines().all(|l| l.len() == 6 && counts(&l)));
    }

    /// Expected values were copied from the file by hand.
    #[test]
    fn the_count_of_the_same_set_and_operation_is_found() {
        let found = |case: &str, set: &str, operation: &str, vlen| {
            let row = Row { direction: operation.into(), vlen, ..row(case, set, 64, 1.0) };
            find(&row).unwrap().map(|p| (p.set, p.insns))
        };
        for scalar in ["scalar", "rv64gc"] {
            let expected = Some(("rv64gc", 667_117));
            assert_eq!(found("ml-kem-768", scalar, "keygen", 256), expected, "{scalar}");
        }
        assert_eq!(found("ml-kem-768", "zbb", "decaps", 512), Some(("+zbb", 713_088)));
        let vector = |vlen| found("ml-dsa-65", "v_zbb_zvbb", "sign", vlen);
        assert_eq!((vector(256), vector(512)), (Some(("+v_zbb_zvbb", 6_195_554)), None));
        let keccak = found("ml-dsa-65", "v_zbb_zvbb_zvknhk0p2", "verify", 256);
        assert_eq!(keccak, Some(("+zvkeccak", 884_683)));
        for (case, set) in [("ml-kem-512", "zbb"), ("ml-kem-768", "zba"), ("ml-kem-768", "auto")] {
            assert_eq!(found(case, set, "keygen", 256), None, "{case} {set}");
        }
        assert_eq!(found("ml-kem-768", "zbb", "derive", 256), None);
    }

    #[test]
    fn the_readme_names_source_and_unit() {
        let line = README.lines().find(|l| l.contains("`boringssl_pqc_instret.csv`")).unwrap();
        let said = [
            "BoringSSL (commit cf4f615)",
            "retired instructions per operation",
            "Kyber and Dilithium",
        ];
        for said in said {
            assert!(line.contains(said), "{said}: {line}");
        }
    }
}
