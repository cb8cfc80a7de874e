//! Names of subjects: what `--subject` takes, and what rows call it.

/// Stock OpenSSL.
pub const OPENSSL: &str = "openssl";
/// The stock program of that name, of rows in [`crate::Record::speed`].
pub const SPEED: &str = "openssl speed";
/// Begins the names of builds of OpenSSL that were made here.
pub const BUILD: &str = "openssl:";
