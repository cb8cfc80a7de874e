//! The user's own files in a source: those that replace one of its files, and those that are added.

use anyhow::{Context, Result};
use capvec_text::escape;
use capvec_util::digest;
use std::path::{Component, Path, PathBuf};

/// What a file of the user's does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// It takes the place of a file of the source.
    Replaces,
    /// It is new.
    Added,
}

/// A file of the user's, and where it goes in the source.
#[derive(Clone, Debug)]
pub struct OwnFile {
    place: Place,
    /// Its path in the source tree.
    inside: PathBuf,
    /// The user's file.
    own: PathBuf,
}

/// `--replace` or `--add` does not say which file goes where.
#[derive(Debug, thiserror::Error)]
#[error("{flag} {given}: {why}")]
pub struct BadOwnFile {
    flag: &'static str,
    given: String,
    why: String,
}

impl Place {
    fn refuse(self, given: &str, why: impl Into<String>) -> BadOwnFile {
        let flag = match self {
            Place::Replaces => "--replace",
            Place::Added => "--add",
        };
        BadOwnFile { flag, given: escape::line(given).into_owned(), why: why.into() }
    }

    fn parse(self, text: &str) -> Result<OwnFile, BadOwnFile> {
        let no = |why: &str| self.refuse(text, why);
        let example = match self {
            Place::Replaces => "write FILE=OWN, such as crypto/sha/keccak1600.c=my.c",
            Place::Added => "write FILE=OWN, such as crypto/sha/my.h=my.h",
        };
        let (inside, own) = text.split_once('=').ok_or_else(|| no(example))?;
        let (inside, own) = (PathBuf::from(inside), PathBuf::from(own));
        let plain = inside.components().all(|c| matches!(c, Component::Normal(_)));
        if inside.as_os_str().is_empty() || !plain {
            return Err(no("FILE is a path inside the source tree, without .."));
        }
        if !own.is_file() {
            return Err(no("OWN is not a file; name one that exists"));
        }
        Ok(OwnFile { place: self, inside, own })
    }
}

impl OwnFile {
    /// FILE=OWN, of which FILE is in the source.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn replacing(text: &str) -> Result<OwnFile, BadOwnFile> {
        Place::Replaces.parse(text)
    }

    /// FILE=OWN, of which FILE is not in the source.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn added(text: &str) -> Result<OwnFile, BadOwnFile> {
        Place::Added.parse(text)
    }

    fn apply(&self, tree: &Path, work: &Path) -> Result<()> {
        let given = format!("{}={}", self.inside.display(), self.own.display());
        let no = |why: &str| self.place.refuse(&given, why);
        if !tree.starts_with(work) {
            return Err(no(
                "a source tree is not changed; edit it, or name an archive with --source",
            )
            .into());
        }
        let to = tree.join(&self.inside);
        match self.place {
            Place::Replaces if !to.is_file() => {
                return Err(no("the source has no such file").into());
            }
            Place::Replaces => {
                let mut kept = to.clone().into_os_string();
                kept.push(".orig");
                std::fs::rename(&to, &kept)
                    .with_context(|| format!("renaming {}", to.display()))?;
            }
            Place::Added if to.exists() => {
                return Err(no("the source has such a file; use --replace").into());
            }
            Place::Added if !to.parent().is_some_and(Path::is_dir) => {
                return Err(no("the source has no such directory").into());
            }
            Place::Added => {}
        }
        std::fs::copy(&self.own, &to).with_context(|| format!("copying {}", self.own.display()))?;
        Ok(())
    }
}

/// What is replaced and added, with digests, for a build's description; empty if nothing is.
pub fn shown(all: &[OwnFile]) -> Result<String> {
    let one = |f: &OwnFile| {
        let digest = digest(&f.own).with_context(|| format!("reading {}", f.own.display()))?;
        let what = match f.place {
            Place::Replaces => "replaced",
            Place::Added => "added",
        };
        Ok(format!("; {} {what}, SHA-256 {digest}", f.inside.display()))
    };
    all.iter().map(one).collect()
}

/// Puts the user's files into the unpacked source. What they replace stays next to them, as FILE.orig, so that they can
/// include it.
pub fn apply(all: &[OwnFile], tree: &Path, work: &Path) -> Result<()> {
    all.iter().try_for_each(|f| f.apply(tree, work))
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
        let given = |inside: &str| format!("{inside}={}", own.display());
        let all = [
            OwnFile::replacing(&given("a/b.c")).unwrap(),
            OwnFile::added(&given("a/b.h")).unwrap(),
        ];
        let described = shown(&all).unwrap();
        assert!(described.starts_with("; a/b.c replaced, SHA-256 "), "{described}");
        assert!(described.contains("; a/b.h added, SHA-256 "), "{described}");
        apply(&all, &tree, work.path()).unwrap();
        let read = |name| std::fs::read_to_string(tree.join(name)).unwrap();
        assert_eq!((read("a/b.c"), read("a/b.c.orig")), ("own".into(), "original".into()));
        assert_eq!(read("a/b.h"), "own");
        for (file, words) in [
            (OwnFile::replacing(&given("a/c.c")), "--replace a/c.c="),
            (OwnFile::replacing(&given("a/c.c")), "the source has no such file"),
            (OwnFile::added(&given("a/b.c")), "has such a file; use --replace"),
            (OwnFile::added(&given("c/b.c")), "--add c/b.c="),
            (OwnFile::added(&given("c/b.c")), "no such directory"),
        ] {
            let e = apply(&[file.unwrap()], &tree, work.path()).unwrap_err();
            assert!(e.is::<BadOwnFile>() && e.to_string().contains(words), "{e}");
        }
        let e = apply(&all, &tree, Path::new("/elsewhere")).unwrap_err().to_string();
        assert!(e.contains("a source tree is not changed"), "{e}");
    }

    #[test]
    fn errors_of_usage_name_the_flag() {
        for bad in ["x", "../x=Cargo.toml", "=Cargo.toml", "/x=Cargo.toml", "x=missing"] {
            let e = OwnFile::replacing(bad).unwrap_err().to_string();
            assert!(e.starts_with(&format!("--replace {bad}: ")), "{e}");
            let e = OwnFile::added(bad).unwrap_err().to_string();
            assert!(e.starts_with(&format!("--add {bad}: ")), "{e}");
        }
    }
}
