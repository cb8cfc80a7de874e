//! The measured library.

use capvec_isa::variable::{CAPVEC_CAPS, OPENSSL_RISCVCAP};
use std::fmt;

/// A library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// Stock OpenSSL of the sysroot.
    #[default]
    OpenSsl,
    /// libcapvec, of `crypto/`.
    Capvec,
    /// Stock OpenSSL with libcapvec as its provider, by configuration alone.
    Provider,
}

impl Subject {
    /// Every subject.
    pub const ALL: [Subject; 3] = [Subject::OpenSsl, Subject::Capvec, Subject::Provider];

    /// The name in records and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Subject::OpenSsl => "openssl",
            Subject::Capvec => "capvec",
            Subject::Provider => "openssl+capvec",
        }
    }

    /// The environment variables that configure the library.
    pub fn variables(self) -> &'static [&'static str] {
        match self {
            Subject::OpenSsl => &[OPENSSL_RISCVCAP],
            Subject::Capvec => &[CAPVEC_CAPS],
            Subject::Provider => &[OPENSSL_RISCVCAP, CAPVEC_CAPS],
        }
    }

    /// What a driver is linked with, after its objects.
    pub fn libraries(self) -> &'static [&'static str] {
        match self {
            Subject::OpenSsl | Subject::Provider => &["-lcrypto"],
            Subject::Capvec => &[],
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Subject {
    type Err = String;

    fn from_str(text: &str) -> Result<Subject, String> {
        let found = Subject::ALL.into_iter().find(|s| s.name() == text);
        found.ok_or_else(|| {
            let names = Subject::ALL.map(Subject::name).join(", ");
            format!("no such subject; there are {names}")
        })
    }
}
