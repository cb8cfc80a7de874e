//! The kinds of libraries that drivers are linked with.

use crate::companion::Companion;
use crate::packaged::Packaged;
use capvec_isa::variable::{CAPVEC_CAPS, OPENSSL_RISCVCAP};
use std::fmt;

/// What a driver is linked with, and which environment variables configure it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LibraryKind {
    /// OpenSSL: stock, a build, or one given by its path.
    #[default]
    OpenSsl,
    /// libcapvec, of `crypto/`.
    Capvec,
    /// OpenSSL with libcapvec as its provider, by configuration alone.
    Provider,
    /// A library of the distribution with an interface of its own.
    Packaged(Packaged),
}

impl LibraryKind {
    /// Every kind.
    pub const ALL: [LibraryKind; 3 + Packaged::ALL.len()] = {
        let mut all = [LibraryKind::OpenSsl; 3 + Packaged::ALL.len()];
        all[1] = LibraryKind::Capvec;
        all[2] = LibraryKind::Provider;
        let mut i = 0;
        while i < Packaged::ALL.len() {
            all[3 + i] = LibraryKind::Packaged(Packaged::ALL[i]);
            i += 1;
        }
        all
    };

    /// The name in records and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            LibraryKind::OpenSsl => "openssl",
            LibraryKind::Capvec => "capvec",
            LibraryKind::Provider => "openssl+capvec",
            LibraryKind::Packaged(library) => library.name(),
        }
    }

    /// The environment variables that configure the library.
    pub fn variables(self) -> &'static [&'static str] {
        match self {
            LibraryKind::OpenSsl => &[OPENSSL_RISCVCAP],
            LibraryKind::Capvec => &[CAPVEC_CAPS],
            LibraryKind::Provider => &[OPENSSL_RISCVCAP, CAPVEC_CAPS],
            LibraryKind::Packaged(_) => &[],
        }
    }

    /// What a driver is linked with, after its objects.
    pub fn libraries(self) -> &'static [&'static str] {
        match self {
            LibraryKind::OpenSsl | LibraryKind::Provider => &["-lcrypto"],
            LibraryKind::Capvec => &[],
            LibraryKind::Packaged(library) => library.link(),
        }
    }

    /// What its driver loads, if that is made by a compiler of another language.
    pub(crate) fn companion(self) -> Option<&'static Companion> {
        self.packaged().and_then(Packaged::companion)
    }

    /// The library, if it is one of the distribution with an interface of its own.
    pub fn packaged(self) -> Option<Packaged> {
        match self {
            LibraryKind::Packaged(library) => Some(library),
            LibraryKind::OpenSsl | LibraryKind::Capvec | LibraryKind::Provider => None,
        }
    }
}

impl fmt::Display for LibraryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for LibraryKind {
    type Err = String;

    fn from_str(text: &str) -> Result<LibraryKind, String> {
        let found = LibraryKind::ALL.into_iter().find(|s| s.name() == text);
        found.ok_or_else(|| {
            let names = LibraryKind::ALL.map(LibraryKind::name).join(", ");
            format!("no such library; there are {names}")
        })
    }
}
