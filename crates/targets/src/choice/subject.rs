//! What `--subject` names, on every target alike.

use crate::backend::LIBRARY;
use crate::builds::Build;
use anyhow::{Result, bail};
use capvec_guest::{LibraryKind, Packaged};
use capvec_record::Arch;
use capvec_record::subject::BUILD;
use std::fmt;
use std::path::{Path, PathBuf};

/// A library by name. Whether it exists is not known yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SubjectName {
    /// The target's own OpenSSL.
    #[default]
    OpenSsl,
    /// libcapvec.
    Capvec,
    /// The target's own OpenSSL, with libcapvec as its provider.
    Provider,
    /// A library of the distribution with an interface of its own.
    Packaged(Packaged),
    /// A build of `capvec build openssl`.
    Build(String),
    /// A libcrypto.so.3, or the directory that contains one.
    File(String),
}

impl SubjectName {
    /// The subjects that every target can run.
    pub const ANYWHERE: &str =
        "openssl, openssl:NAME (made by `capvec build openssl`), and the path of a libcrypto.so.3";

    /// Those that the simulator runs in addition.
    pub fn simulated() -> String {
        let own = [LibraryKind::Capvec, LibraryKind::Provider].map(LibraryKind::name);
        let mut all: Vec<&str> = own.into_iter().chain(Packaged::ALL.map(Packaged::name)).collect();
        let last = all.pop().unwrap_or_default();
        format!("{} and {last}", all.join(", "))
    }

    /// Whether its drivers exist for the simulator only.
    pub fn is_simulated(&self) -> bool {
        self.has_libcapvec() || matches!(self, SubjectName::Packaged(_))
    }

    /// Whether libcapvec is a part of it.
    pub fn has_libcapvec(&self) -> bool {
        matches!(self, SubjectName::Capvec | SubjectName::Provider)
    }

    /// The kind of library that its drivers are linked with.
    pub fn library_kind(&self) -> LibraryKind {
        match self {
            SubjectName::Capvec => LibraryKind::Capvec,
            SubjectName::Provider => LibraryKind::Provider,
            SubjectName::Packaged(library) => LibraryKind::Packaged(*library),
            SubjectName::OpenSsl | SubjectName::Build(_) | SubjectName::File(_) => {
                LibraryKind::OpenSsl
            }
        }
    }
}

impl fmt::Display for SubjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubjectName::Build(name) => write!(f, "{BUILD}{name}"),
            SubjectName::File(path) => f.write_str(path),
            SubjectName::OpenSsl
            | SubjectName::Capvec
            | SubjectName::Provider
            | SubjectName::Packaged(_) => f.write_str(self.library_kind().name()),
        }
    }
}

impl std::str::FromStr for SubjectName {
    type Err = String;

    fn from_str(text: &str) -> Result<SubjectName, String> {
        let all = [SubjectName::OpenSsl, SubjectName::Capvec, SubjectName::Provider];
        let all = all.into_iter().chain(Packaged::ALL.map(SubjectName::Packaged));
        if let Some(name) = all.into_iter().find(|s| s.library_kind().name() == text) {
            return Ok(name);
        }
        // A list is split before it comes here; a path may contain commas.
        if let Some((first, _)) = text.split_once(',')
            && !matches!(first.parse(), Err(_) | Ok(SubjectName::File(_)))
        {
            return Err(format!(
                "name one subject, such as {first}; `capvec bench` compares several"
            ));
        }
        if let Some(build) = text.strip_prefix(BUILD) {
            return Ok(SubjectName::Build(build.into()));
        }
        // A word that could be a misspelt name counts as a path only if it is a directory that contains a library.
        let path = text.contains('/') || text.contains(".so");
        if path || (!text.is_empty() && Path::new(text).join(LIBRARY).is_file()) {
            return Ok(SubjectName::File(text.into()));
        }
        Err(format!(
            "no such library; valid are {} and, with --target sim, {}",
            SubjectName::ANYWHERE,
            SubjectName::simulated()
        ))
    }
}

/// A library that exists.
#[derive(Clone, Debug)]
pub struct Library {
    /// The name in records.
    pub name: String,
    /// What its drivers are linked with.
    pub kind: LibraryKind,
    /// Its directory, unless it is the target's own.
    pub dir: Option<PathBuf>,
    /// Its manifest, if it was built here.
    pub build: Option<Build>,
}

impl Library {
    /// The target's own OpenSSL, or this project's library.
    pub fn own(name: &SubjectName) -> Library {
        Library { name: name.to_string(), kind: name.library_kind(), dir: None, build: None }
    }
}

/// Refuses a directory whose libcrypto is for another architecture: the target's programs would not load it, or would
/// load their own instead.
///
/// # Errors
/// Says what it is for.
pub fn fits(dir: &Path, arch: Arch) -> Result<()> {
    let what = match Arch::of_file(&dir.join(LIBRARY))? {
        Some(is) if is == arch => return Ok(()),
        Some(is) => format!("it is built for {}", is.name()),
        None => format!("{LIBRARY} there is not a library for an architecture that capvec knows"),
    };
    bail!("{what}, but the target is {}", arch.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let names = [
            "openssl",
            "capvec",
            "openssl+capvec",
            "nettle",
            "mbedtls",
            "openssl:asm",
            "./lib/libcrypto.so.3",
            "/opt/ssl",
            "libcrypto.so.3",
        ];
        for name in names {
            assert_eq!(name.parse::<SubjectName>().map(|n| n.to_string()), Ok(name.to_string()));
        }
        assert_eq!("openssl:a".parse(), Ok(SubjectName::Build("a".into())));
        assert_eq!("lib/".parse(), Ok(SubjectName::File("lib/".into())));
        // With or without a slash at the end: a directory counts if it contains a library.
        let dir = tempfile::tempdir_in(".").expect("a directory");
        let name = dir.path().file_name().expect("a name").to_str().expect("UTF-8");
        assert!(name.parse::<SubjectName>().is_err(), "the directory is empty");
        std::fs::write(dir.path().join(LIBRARY), "x").expect("a file");
        assert_eq!(name.parse(), Ok(SubjectName::File(name.into())));
        for several in ["capvec,openssl", "openssl:asm,openssl"] {
            let e = several.parse::<SubjectName>().expect_err("two subjects");
            assert!(e.contains("name one subject") && e.contains("capvec bench"), "{e}");
        }
        let comma = "./a,b/libcrypto.so.3";
        assert_eq!(comma.parse(), Ok(SubjectName::File(comma.into())));
        for name in ["libressl", "", "OpenSSL", "wolfssl"] {
            let e = name.parse::<SubjectName>().expect_err("an unknown subject");
            assert!(
                e.contains("openssl:NAME (made by `capvec build openssl`)")
                    && e.contains("--target sim"),
                "{e}"
            );
        }
    }
}
