//! `packages.json`: a sysroot's contents and their origin.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Version of the file format; others are refused.
const FORMAT: u32 = 1;

/// Name of the file within a sysroot's directory.
pub(crate) const FILE: &str = "packages.json";

/// Where a sysroot came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Origin {
    /// Fetched through apt.
    Apt {
        /// Suite, such as `trixie`.
        suite: String,
        /// Debian architecture, such as `riscv64`.
        arch: String,
        /// The archive's URL, without credentials.
        mirror: String,
        /// Whether the user named the mirror, which is then used again when packages are added.
        mirror_given: bool,
        /// Keyring that the user named, if any.
        keyring: Option<PathBuf>,
    },
    /// A directory of the user's, used in place.
    Directory {
        /// Its absolute path.
        path: PathBuf,
    },
}

/// Why a package is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Requested by name.
    Requested,
    /// Needed by another package.
    Dependency,
}

/// A package in a sysroot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// Name, such as `openssl`.
    pub name: String,
    /// Full Debian version.
    pub version: String,
    /// Its architecture: the sysroot's, or `all`.
    pub arch: String,
    /// SHA-256 of the .deb, in hex, as in the signed index.
    pub sha256: String,
    /// Why it is there.
    pub reason: Reason,
}

/// The content of `packages.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// Whether capvec made it for itself; unknown in files of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automatic: Option<bool>,
    /// Version of the files that were written in place of maintainer scripts: the `CONFIGURED` of the capvec that wrote them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) configured: Option<u32>,
    /// Where the sysroot came from.
    pub origin: Origin,
    /// Its packages in order of name; empty for a registered directory.
    pub packages: Vec<Package>,
}

impl Manifest {
    /// Makes a manifest, with its packages sorted.
    pub(crate) fn new(origin: Origin, mut packages: Vec<Package>) -> Manifest {
        packages.sort_by(|a, b| a.name.cmp(&b.name));
        Manifest { format: FORMAT, automatic: None, configured: None, origin, packages }
    }

    /// The package of this name, if it is installed.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|package| package.name == name)
    }

    /// Its packages with versions and architectures, for records.
    pub fn shown(&self) -> impl Iterator<Item = String> {
        self.packages.iter().map(|p| format!("{} {} {}", p.name, p.version, p.arch))
    }

    /// Names of the requested packages.
    pub fn requested(&self) -> impl Iterator<Item = &str> {
        let requested = |package: &&Package| package.reason == Reason::Requested;
        self.packages.iter().filter(requested).map(|package| package.name.as_str())
    }

    /// Reads the manifest of the sysroot `name` in directory `dir`.
    pub(crate) fn read(name: &str, dir: &Path) -> Result<Manifest> {
        let damaged = |why: String| Error::Damaged { name: name.to_owned(), why };
        let text = fs::read_to_string(dir.join(FILE))
            .map_err(|error| damaged(format!("{FILE}: {error}")))?;
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| damaged(format!("{FILE}: {error}")))?;
        if manifest.format != FORMAT {
            return Err(damaged(format!("{FILE} has format {}, not {FORMAT}", manifest.format)));
        }
        Ok(manifest)
    }

    /// Writes the manifest to a temporary file in `dir` and renames it into place.
    pub(crate) fn write(&self, dir: &Path) -> Result<()> {
        let temporary = dir.join(".packages.json.new");
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::io("write", &dir.join(FILE))(error.into()))?;
        text.push('\n');
        fs::write(&temporary, text).map_err(Error::io("write", &temporary))?;
        let path = dir.join(FILE);
        fs::rename(&temporary, &path).map_err(Error::io("write", &path))
    }
}
