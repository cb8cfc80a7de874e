//! Files of a source that the user's own replace.

use anyhow::{Context, Result};
use capvec_text::escape;
use capvec_util::digest;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// A file of the source, and the user's file that takes its place.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// Its path in the source tree.
    inside: PathBuf,
    /// The user's file.
    own: PathBuf,
}

/// `--replace` does not say which file replaces which.
#[derive(Debug, thiserror::Error)]
#[error("--replace {given}: {why}")]
pub struct BadReplacement {
    given: String,
    why: String,
}

impl BadReplacement {
    fn of(given: &str, why: impl Into<String>) -> BadReplacement {
        BadReplacement { given: escape::line(given).into_owned(), why: why.into() }
    }
}

impl FromStr for Replacement {
    type Err = BadReplacement;

    fn from_str(text: &str) -> Result<Replacement, BadReplacement> {
        let no = |why: &str| BadReplacement::of(text, why);
        let (inside, own) = text
            .split_once('=')
            .ok_or_else(|| no("write FILE=OWN, such as crypto/sha/keccak1600.c=my.c"))?;
        let (inside, own) = (PathBuf::from(inside), PathBuf::from(own));
        let plain = inside.components().all(|c| matches!(c, Component::Normal(_)));
        if inside.as_os_str().is_empty() || !plain {
            return Err(no("FILE is a path inside the source tree, without .."));
        }
        if !own.is_file() {
            return Err(no("OWN is not a file; name one that exists"));
        }
        Ok(Replacement { inside, own })
    }
}

/// What is replaced, with digests, for a build's description; empty without replacements.
pub fn shown(all: &[Replacement]) -> Result<String> {
    let one = |r: &Replacement| {
        let digest = digest(&r.own).with_context(|| format!("reading {}", r.own.display()))?;
        Ok(format!("; {} replaced, SHA-256 {digest}", r.inside.display()))
    };
    all.iter().map(one).collect()
}

/// Puts the user's files into the unpacked source. What they replace stays next to them, as FILE.orig, so that they can
/// include it.
pub fn apply(all: &[Replacement], tree: &Path, work: &Path) -> Result<()> {
    for r in all {
        let given = format!("{}={}", r.inside.display(), r.own.display());
        if !tree.starts_with(work) {
            let why = "a source tree is not changed; edit it, or name an archive with --source";
            return Err(BadReplacement::of(&given, why).into());
        }
        let to = tree.join(&r.inside);
        if !to.is_file() {
            return Err(BadReplacement::of(&given, "the source has no such file").into());
        }
        let mut kept = to.clone().into_os_string();
        kept.push(".orig");
        std::fs::rename(&to, &kept).with_context(|| format!("renaming {}", to.display()))?;
        std::fs::copy(&r.own, &to).with_context(|| format!("copying {}", r.own.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_stays_next_to_what_replaces_it() {
        let work = tempfile::tempdir().unwrap();
        let tree = work.path().join("tree");
        std::fs::create_dir_all(tree.join("a")).unwrap();
        std::fs::write(tree.join("a/b.c"), "original").unwrap();
        let own = work.path().join("own.c");
        std::fs::write(&own, "own").unwrap();
        let one: Replacement = format!("a/b.c={}", own.display()).parse().unwrap();
        let all = [one];
        assert!(shown(&all).unwrap().starts_with("; a/b.c replaced, SHA-256 "));
        apply(&all, &tree, work.path()).unwrap();
        let read = |name| std::fs::read_to_string(tree.join(name)).unwrap();
        assert_eq!((read("a/b.c"), read("a/b.c.orig")), ("own".into(), "original".into()));
        let missing: Replacement = format!("a/c.c={}", own.display()).parse().unwrap();
        let e = apply(&[missing], &tree, work.path()).unwrap_err();
        assert!(e.is::<BadReplacement>() && e.to_string().contains("no such file"), "{e}");
        let e = apply(&all, &tree, Path::new("/elsewhere")).unwrap_err().to_string();
        assert!(e.contains("a source tree is not changed"), "{e}");
    }

    #[test]
    fn errors_of_usage_name_the_flag() {
        for bad in ["x", "../x=Cargo.toml", "=Cargo.toml", "/x=Cargo.toml", "x=missing"] {
            let e = bad.parse::<Replacement>().unwrap_err().to_string();
            assert!(e.starts_with(&format!("--replace {bad}: ")), "{e}");
        }
    }
}
