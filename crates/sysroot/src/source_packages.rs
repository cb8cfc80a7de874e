//! Source packages, through apt.

use std::fs;
use std::path::{Path, PathBuf};

use crate::DEFAULT_SUITE;
use crate::add::Request;
use crate::apt::Apt;
use crate::error::{Error, Result};
use crate::name::{check_package, check_suite};
use crate::progress::Progress;
use crate::store::Store;
use crate::tool::{command, run_on};

/// A source package of the distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Name of the package.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The upstream archive, without the distribution's changes.
    pub orig: PathBuf,
    /// The archive's SHA-256, in hexadecimal.
    pub sha256: String,
}

impl Store {
    /// The source package `name` of a suite. Fast and offline once it has been fetched.
    ///
    /// apt verifies the chain from the archive's signature to each file. Files that are already there are compared
    /// again with the checksums of the package's own description.
    ///
    /// # Errors
    /// Those of [`Store::add`]; [`Error::Checksum`].
    pub fn source(
        &self,
        request: &Request,
        name: &str,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Source> {
        let suite = request.suite.as_deref().unwrap_or(DEFAULT_SUITE);
        check_suite(suite)?;
        check_package(name)?;
        let dir = self.home().join("sources").join(format!("{name}-{suite}"));
        if let Some(source) = found(&dir, name)? {
            return Ok(source);
        }
        let _lock = self.lock(progress)?;
        fs::create_dir_all(&dir).map_err(Error::io("create", &dir))?;
        let target = self.target(request, None)?.0;
        let apt = Apt::of_sources(&self.apt_dir(), &target)?;
        progress(&Progress::Updating {
            suite: suite.to_owned(),
            arch: "sources".to_owned(),
            mirror: target.mirror(),
        });
        apt.update_sources()?;
        progress(&Progress::Downloading { packages: 1, percent: 0.0 });
        apt.download_source(name, &dir)?;
        let missing = || Error::Apt {
            action: "download the source package",
            message: format!("{} has no complete {name} after the download", dir.display()),
        };
        found(&dir, name)?.ok_or_else(missing)
    }
}

/// The description in `dir`, of those whose archive is present, that is last by name.
fn found(dir: &Path, name: &str) -> Result<Option<Source>> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut descriptions: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "dsc")).collect();
    descriptions.sort();
    for path in descriptions.iter().rev() {
        let text = fs::read_to_string(path).map_err(Error::io("read", path))?;
        let Some((file, sha256)) = orig(&text) else { continue };
        let orig = dir.join(file);
        if !orig.is_file() {
            continue;
        }
        let mut sum = command("sha256sum");
        let output = run_on(&orig, "sha256sum", sum.arg("--").arg(&orig))?;
        if !output.starts_with(sha256.as_bytes()) {
            return Err(Error::Checksum { path: orig, expected: sha256.to_owned() });
        }
        let version = text.lines().find_map(|l| l.strip_prefix("Version: ")).unwrap_or_default();
        return Ok(Some(Source {
            name: name.to_owned(),
            version: version.to_owned(),
            orig,
            sha256: sha256.to_owned(),
        }));
    }
    Ok(None)
}

/// Name and SHA-256 of `NAME_VERSION.orig.tar.*` in a `.dsc` (deb-src-control(5), Checksums-Sha256).
fn orig(dsc: &str) -> Option<(&str, &str)> {
    let lines = dsc.lines().skip_while(|l| *l != "Checksums-Sha256:").skip(1);
    let mut files = lines.take_while(|l| l.starts_with(' '));
    files.find_map(|line| {
        let mut words = line.split_whitespace();
        let (sum, _, file) = (words.next()?, words.next()?, words.next()?);
        let good = file.contains(".orig.tar.") && !file.ends_with(".asc") && !file.contains('/');
        (good && sum.len() == 64).then_some((file, sum))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUM: &str = "a8c0d28a529ca480f9f36cf5792e2cd21984552a3c8e4aa11a24aa31aeac98e8";

    fn dsc(file: &str, sum: &str) -> String {
        format!(
            "Format: 3.0 (quilt)\nVersion: 3.5.7-1\nChecksums-Sha1:\n {sum} 1 x.orig.tar.gz\nChecksums-Sha256:\n \
             {sum} 833 {file}.asc\n {sum} 12 {file}\nFiles:\n 0 1 {file}\n"
        )
    }

    #[test]
    fn the_upstream_archive_is_found_by_its_checksum() {
        assert_eq!(orig(&dsc("o_3.orig.tar.gz", SUM)), Some(("o_3.orig.tar.gz", SUM)));
        assert_eq!(orig(&dsc("../o_3.orig.tar.gz", SUM)), None);
        assert_eq!(orig("Checksums-Sha256:\n short o.orig.tar.gz\n"), None);
        assert_eq!(orig(""), None);
    }

    #[test]
    fn a_damaged_archive_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(found(dir.path(), "o").unwrap(), None);
        fs::write(dir.path().join("o_3.dsc"), dsc("o_3.orig.tar.gz", SUM)).unwrap();
        assert_eq!(found(dir.path(), "o").unwrap(), None);
        fs::write(dir.path().join("o_3.orig.tar.gz"), "x").unwrap();
        let error = found(dir.path(), "o").unwrap_err();
        assert!(matches!(error, Error::Checksum { .. }), "{error}");
        // SHA-256 of "x", by coreutils.
        let right = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
        fs::write(dir.path().join("o_3.dsc"), dsc("o_3.orig.tar.gz", right)).unwrap();
        assert_eq!(found(dir.path(), "o").unwrap().unwrap().version, "3.5.7-1");
    }
}
