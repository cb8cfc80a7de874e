//! Vectors before figures: what `capvec bench` checks for every case on every configuration.

use super::Algorithm;
use super::algorithm::Names;
use super::format::{Outcome, Vector, length};
use super::job::Checked;
use super::known_failures;
use super::run::ask;
use super::vector_source::Vectors;
use anyhow::Result;
use capvec_bench::case::{Case, Kind};
use capvec_bench::run::{Configuration, Runner};
use capvec_bench::sweep::Gate;
use capvec_guest::LibraryKind;
use capvec_record::kat::Known;
use capvec_sim::hart::Agnostic;
use sha2::{Digest, Sha256};
use std::path::Path;

/// The vectors on which figures depend.
pub struct VectorGate {
    vectors: Vectors,
    /// The indices of the vectors for each case of the plan.
    by_case: Vec<Vec<usize>>,
}

/// Message lengths that the gate prefers, in bytes: empty, within a block, blocks of 16 and 64 bytes and their
/// neighbours, strips of several vector registers with a tail, up to VLEN 1024 with LMUL 8.
const LENGTHS: [usize; 9] = [0, 1, 16, 33, 64, 129, 255, 300, 1031];
/// Number of vectors of each outcome for an operation with a key pair, from each file.
const OF_OPERATION: usize = 2;
/// The cases' own answers, which `bench` checks anyway.
const ANSWERS: &str = "cases/";

impl VectorGate {
    /// The gate for these cases, with all vectors or about a dozen for each; built-in ones, or those of `dir`.
    ///
    /// # Errors
    /// Names the file and line that is broken.
    pub fn new(cases: &[Case], all: bool, dir: Option<&Path>) -> Result<VectorGate> {
        VectorGate::of(cases, all, dir, LibraryKind::OpenSsl)
    }

    /// As [`VectorGate::new`], with the vectors that this library takes.
    ///
    /// # Errors
    /// As [`VectorGate::new`].
    pub fn of(
        cases: &[Case],
        all: bool,
        dir: Option<&Path>,
        kind: LibraryKind,
    ) -> Result<VectorGate> {
        let all_names = Names { flag: "--cases", names: &["all".into()] };
        // The other libraries are asked for everything that a vector can belong to.
        let kind = if kind.packaged().is_some() { kind } else { LibraryKind::OpenSsl };
        let mut vectors = Vectors::load(all_names, dir, kind)?;
        let known = known_failures::all()?;
        let by_case = cases.iter().map(|case| {
            let own: Vec<usize> = (0..vectors.vectors.len())
                .filter(|v| vectors.algorithm(*v).is_some_and(|a| serves(a, case)))
                .filter(|v| vectors.vectors.get(*v).is_some_and(|v| all || is_fast(v, case)))
                .collect();
            if all {
                return own;
            }
            let mut chosen = representative(&vectors, &own);
            chosen.extend(for_known_failures(&vectors, &own, &known));
            chosen.sort_unstable();
            chosen.dedup();
            chosen
        });
        let mut by_case: Vec<Vec<usize>> = by_case.collect();
        // The others are many, and a command may have many gates.
        let mut used = by_case.concat();
        used.sort_unstable();
        used.dedup();
        vectors.keep_only(&used);
        by_case.iter_mut().flatten().for_each(|v| *v = used.partition_point(|u| u < v));
        Ok(VectorGate { by_case, vectors })
    }
}

impl Gate for VectorGate {
    fn vectors(&self) -> usize {
        self.by_case.iter().map(Vec::len).sum()
    }

    fn unchecked(&self) -> Vec<usize> {
        (0..self.by_case.len())
            .filter(|i| self.by_case.get(*i).is_some_and(Vec::is_empty))
            .collect()
    }

    fn id(&self) -> String {
        let mut hash = Sha256::new();
        for v in self.by_case.iter().flatten() {
            hash.update(self.vectors.line(*v) + "\n");
        }
        hex::encode(hash.finalize())
    }

    fn check(
        &self,
        runner: &Runner,
        c: &Configuration,
        cases: &[usize],
    ) -> Result<Vec<Option<String>>> {
        let of = |case: &usize| self.by_case.get(*case).map_or(&[][..], Vec::as_slice);
        let asked: Vec<usize> = cases.iter().flat_map(of).copied().collect();
        let results = ask(runner, &self.vectors, c, Agnostic::default(), &asked, &|_| ())?;
        // Asking for the version starts a guest, and only a failure can be a known one.
        let failed = results.iter().any(|r| r.failure.is_some());
        let known = if failed { known_failures::of(runner)? } else { Vec::new() };
        let mut results = asked.into_iter().zip(results);
        let judge = |case: &usize| {
            let own = of(case);
            let as_known = |v: &Vector, what: &str| {
                known.iter().find(|k| known_failures::is(k, v, what, Some(c.vlen), &c.capset))
            };
            let failed: Vec<_> = results
                .by_ref()
                .take(own.len())
                .filter_map(|(v, checked)| Some((self.vectors.vectors.get(v)?, wrong(checked)?)))
                .map(|(v, what)| (v, as_known(v, &what), what))
                // A failure that is the same on every path says nothing against the measured one.
                .filter(|(_, known, _)| known.is_none_or(Known::is_of_a_path))
                .collect();
            let (v, known, what) = failed.iter().find(|f| f.1.is_none()).or(failed.first())?;
            let (n, all) = (failed.len(), own.len());
            let text = format!("kat: {n} of {all} vectors fail, first {}:{}: {what}", v.file, v.id);
            Some(match known {
                Some(known) => format!("{text} (known failure of {})", known.title()),
                None => text,
            })
        };
        Ok(cases.iter().map(judge).collect())
    }
}

/// Why a figure must not be shown.
fn wrong(checked: Checked) -> Option<String> {
    let absent = checked.absent.map(|name| format!("the library has no {name}"));
    absent.or(checked.failure)
}

/// Whether vectors of `a` check what the case measures.
fn serves(a: &Algorithm, case: &Case) -> bool {
    // Setting a new key is a form in which the vectors of its cipher are checked, and GHASH is a part of GMAC.
    let kind = |k: Kind| if k == Kind::Setup { None } else { Some(k) };
    let same_kind = match kind(case.kind) {
        None => matches!(a.kind, Kind::Cipher | Kind::Aead),
        Some(k) => a.kind == k,
    };
    let name = if case.algorithm == "GHASH" { "GMAC" } else { &case.algorithm };
    // For the other kinds, the parameter is a length, and each vector has its own.
    let named = matches!(a.kind, Kind::Cipher | Kind::Mac | Kind::Pkey);
    let common = case.operations.iter().any(|o| a.operations.contains(o));
    same_kind
        && common
        && a.algorithm.eq_ignore_ascii_case(name)
        && (!named || a.parameter == case.parameter)
}

/// Whether a vector can be checked before every figure. Keys and signatures of SLH-DSA take up to billions of instructions; the
/// case's own answers have them.
fn is_fast(v: &Vector, case: &Case) -> bool {
    case.family != "slh-dsa" || v.operation == "verify"
}

/// For every known failure on some sets only, one vector of `own`, so that it is reported where it blanks a figure.
fn for_known_failures<'a>(
    vectors: &'a Vectors,
    own: &'a [usize],
    known: &'a [Known],
) -> impl Iterator<Item = usize> + 'a {
    let of =
        |k: &Known, i: usize| vectors.vectors.get(i).is_some_and(|v| known_failures::names(k, v));
    let paths = known.iter().filter(|k| k.is_of_a_path());
    paths.filter_map(move |k| own.iter().copied().find(|i| of(k, *i)))
}

/// About a dozen of `own`: of different lengths, with associated data, from every file, and some to be refused.
fn representative(vectors: &Vectors, own: &[usize]) -> Vec<usize> {
    let of = |i: &usize| vectors.vectors.get(*i);
    let new = |i: &&usize| of(i).is_some_and(|v| !v.file.starts_with(ANSWERS));
    let own: Vec<usize> = own.iter().filter(new).copied().collect();
    let is = |i: &usize, outcome: Outcome| of(i).is_some_and(|v| v.outcome == outcome);
    let pkey =
        own.first().and_then(|i| vectors.algorithm(*i)).is_some_and(|a| a.kind == Kind::Pkey);
    let mut chosen: Vec<usize> = Vec::new();
    if !pkey {
        let valid = || own.iter().filter(|i| is(i, Outcome::Valid));
        let far = |i: &usize, n: usize| of(i).map_or(usize::MAX, |v| length(&v.input).abs_diff(n));
        chosen.extend(LENGTHS.iter().filter_map(|n| valid().min_by_key(|i| far(i, *n))));
        chosen
            .extend(valid().rfind(|i| of(i).is_some_and(|v| (17..300).contains(&length(&v.aad)))));
    }
    let mut kinds: Vec<(&str, &str, Outcome)> = Vec::new();
    kinds.extend(
        own.iter().filter_map(of).map(|v| (v.file.as_str(), v.operation.as_str(), v.outcome)),
    );
    kinds.dedup();
    let most = if pkey { OF_OPERATION } else { 1 };
    for kind in kinds {
        let alike: Vec<usize> = own
            .iter()
            .filter(|i| {
                of(i).is_some_and(|v| (v.file.as_str(), v.operation.as_str(), v.outcome) == kind)
            })
            .copied()
            .collect();
        let there = chosen.iter().filter(|i| alike.contains(i)).count();
        let apart = (alike.len() / (most + 1)).max(1);
        chosen.extend(alike.iter().skip(apart / 2).step_by(apart).take(most.saturating_sub(there)));
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vector;
    use capvec_bench::case::select;

    fn gate(cases: &[Case]) -> VectorGate {
        VectorGate::new(cases, false, None).unwrap()
    }

    /// These properties must hold for every case, whatever is added to `vectors/`.
    #[test]
    fn the_dozen_vectors_of_every_case_are_diverse() {
        let cases = select(&["symmetric".into()]).unwrap();
        let gate = gate(&cases);
        for (case, own) in cases.iter().zip(&gate.by_case) {
            let own: Vec<&Vector> = own.iter().map(|v| &gate.vectors.vectors[*v]).collect();
            assert!((5..=18).contains(&own.len()), "{}: {}", case.id, own.len());
            let lengths: Vec<usize> = own.iter().map(|v| length(&v.input)).collect();
            let whole = ["ECB", "CBC"].iter().any(|m| case.algorithm.ends_with(m));
            assert!(
                lengths.iter().any(|n| n % 16 != 0) || whole && case.kind != Kind::Mac,
                "{}",
                case.id
            );
            let longest = if case.algorithm.ends_with("CFB1") { 64 } else { 1024 };
            assert!(lengths.iter().any(|n| *n >= longest), "{}: {lengths:?}", case.id);
            if case.kind == Kind::Aead {
                assert!(own.iter().any(|v| !v.aad.is_empty()), "{}", case.id);
            }
            let known = own.iter().all(|v| !v.file.starts_with(ANSWERS));
            assert!(known, "{}: checked twice", case.id);
        }
    }

    #[test]
    fn operations_with_key_pairs_have_valid_and_invalid_vectors() {
        let cases = select(&["pkey".into()]).unwrap();
        let gate = gate(&cases);
        for (case, own) in cases.iter().zip(&gate.by_case) {
            let own: Vec<&Vector> = own.iter().map(|v| &gate.vectors.vectors[*v]).collect();
            // Its standard has only the case's answers, and Wycheproof has none.
            if case.id == "sm2" {
                assert!(own.is_empty(), "{}", case.id);
                continue;
            }
            let has = |outcome| own.iter().any(|v| v.outcome == outcome);
            // Wycheproof leaves open what X25519 does with keys that other implementations refuse.
            let refused = if case.id == "x25519" { Outcome::Acceptable } else { Outcome::Invalid };
            assert!(has(Outcome::Valid) && has(refused), "{}: {own:?}", case.id);
            assert!(own.len() <= 24, "{}: {}", case.id, own.len());
        }
    }

    #[test]
    fn checking_all_vectors_checks_more_and_has_another_identity() {
        let cases = select(&["sha256".into(), "sm4-key".into()]).unwrap();
        let (some, all) = (gate(&cases), VectorGate::new(&cases, true, None).unwrap());
        assert!(some.vectors() > 0 && all.vectors() > 300 + some.vectors());
        assert_ne!(some.id(), all.id());
        assert_eq!(some.id(), gate(&cases).id());
    }
}
