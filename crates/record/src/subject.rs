//! Names of subjects, as `--subject` takes them and rows have them.

/// Stock OpenSSL.
pub const OPENSSL: &str = "openssl";
/// The stock program `openssl speed`: the subject of rows in [`crate::Record::speed`].
pub const SPEED: &str = "openssl speed";
/// Prefix of the names of builds of OpenSSL that capvec made.
pub const BUILD: &str = "openssl:";
