//! Known failures of the stock library: `vectors/known_failures.toml`.

use super::format::Vector;
use anyhow::{Context, Result, bail};
use capvec_bench::capset::CapSet;
use capvec_bench::run::Runner;
use capvec_guest::LibraryKind;
use capvec_isa::Ext;
use capvec_record::kat::Known;
use serde::Deserialize;

const TEXT: &str = include_str!("../../../vectors/known_failures.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    known: Vec<Known>,
}

/// The known failures of the library that `runner` checks.
///
/// # Errors
/// As for [`Runner::version`]; or the file is broken.
pub fn of(runner: &Runner) -> Result<Vec<Known>> {
    match runner.target().library_kind() {
        LibraryKind::OpenSsl => known(runner.version()?),
        LibraryKind::Capvec | LibraryKind::Provider | LibraryKind::Packaged(_) => Ok(Vec::new()),
    }
}

/// The known failures of this version of OpenSSL, such as `3.5.7`.
///
/// # Errors
/// The file is broken.
fn known(version: &str) -> Result<Vec<Known>> {
    Ok(all()?.into_iter().filter(|k| is_of(k, version)).collect())
}

/// The known failures of every version.
///
/// # Errors
/// The file is broken.
pub fn all() -> Result<Vec<Known>> {
    let file: File = toml::from_str(TEXT).context("vectors/known_failures.toml")?;
    if let Some(e) = file.known.iter().flat_map(|k| &k.with).find(|e| Ext::from_name(e).is_none()) {
        bail!("vectors/known_failures.toml: there is no extension {e}");
    }
    Ok(file.known)
}

fn is_of(known: &Known, version: &str) -> bool {
    let of = |s: &String| version.strip_prefix(s.as_str()).is_some_and(|r| r.starts_with('.'));
    known.series.iter().any(of)
}

/// Whether it names this vector.
pub(super) fn names(known: &Known, v: &Vector) -> bool {
    known.file == v.file && known.ids.contains(&v.id)
}

/// Whether this failure of this vector on this set is the known one.
pub(super) fn is(
    known: &Known,
    v: &Vector,
    failure: &str,
    vlen: Option<u32>,
    capset: &CapSet,
) -> bool {
    let uses = |e: &String| Ext::from_name(e).is_some_and(|e| capset.expected.has(e));
    names(known, v)
        && failure == known.failure
        && known.with.iter().all(uses)
        && known.vlen_at_least.is_none_or(|least| vlen.is_some_and(|v| v >= least))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vectors;

    #[test]
    fn a_failure_applies_to_its_series_only() {
        let n = |version: &str| known(version).unwrap().len();
        assert!(n("3.5.7") > 0 && n("3.5.7") == n("3.5.0"));
        for other in ["3.4.1", "3.50.1", "3.5", "4.0.0", ""] {
            assert_eq!(n(other), 0, "{other}");
        }
    }

    #[test]
    fn a_failure_of_a_path_applies_to_its_sets_and_vlens_only() {
        let known = known("3.5.7").unwrap();
        let k = known.iter().find(|k| k.is_of_a_path()).unwrap();
        assert_eq!(k.title(), "OpenSSL 3.5 with zvbb zvkg zvkned at VLEN 2048 and above");
        let names = crate::Names { flag: "--algorithms", names: &["aes-128-xts".into()] };
        let vectors = Vectors::load(names, None, LibraryKind::OpenSsl).unwrap().vectors;
        let v = vectors.iter().find(|v| v.id == "aes-128-xts/in/2047").unwrap();
        let at = |vlen, caps: &str| {
            let capset = CapSet::parse(caps, &"rv64gcv".parse().unwrap()).unwrap();
            is(k, v, &k.failure, vlen, &capset)
        };
        assert!(at(Some(2048), "full") && at(Some(65536), "zvbb_zvkg_zvkned"));
        assert!(!at(Some(1024), "full") && !at(None, "full"));
        // It does not apply if the hart has the extensions but the library does not use them: `auto` uses at most V here.
        for caps in ["zvkb_zvkg_zvkned", "zvbb_zvkned", "zvbb_zvkg", "scalar", "auto"] {
            assert!(!at(Some(2048), caps), "{caps}");
        }
        let full = CapSet::parse("full", &"rv64gcv".parse().unwrap()).unwrap();
        assert!(!is(k, v, "decrypt, one update: wrong by its FNV-1a", Some(2048), &full));
        let other = vectors.iter().find(|v| v.id == "aes-128-xts/in/1031").unwrap();
        assert!(!is(k, other, &k.failure, Some(2048), &full));
    }
}
