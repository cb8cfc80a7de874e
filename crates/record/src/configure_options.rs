//! Options of OpenSSL's Configure.

/// Those that every build of `capvec build openssl` has. Parts that only programs, tests and loadable modules need are left out;
/// legacy algorithms are then part of the library.
pub const COMMON_OPTIONS: [&str; 6] =
    ["shared", "no-tests", "no-docs", NO_COMMAND, "no-engine", "no-module"];

/// The one of them that builds with the command `openssl` lack.
pub const NO_COMMAND: &str = "no-apps";
