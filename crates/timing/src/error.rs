//! Errors in core files and settings.

use std::path::PathBuf;

/// Why a core could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum CoreError {
    /// Neither a shipped core nor a path.
    #[error(
        "unknown core \"{name}\"{hint}; the shipped cores are {known}; name a file of your own by its path, ending in .toml"
    )]
    Unknown {
        /// The name as given.
        name: String,
        /// A suggestion, or an empty string.
        hint: String,
        /// Names of the shipped cores.
        known: String,
    },
    /// The file cannot be read.
    #[error("core file {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is not TOML.
    #[error("core file {file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// The parser's message, which names the line.
        message: String,
    },
    /// A key is missing, unknown or has a bad value.
    #[error("core file {file}: {key}: {why}")]
    Key {
        /// The file.
        file: String,
        /// The key, with dots.
        key: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// Keys that belong together are not all there.
    #[error("core file {file}: {} missing; write {} = {{ value = …, source = \"…\" }}, and so on", are(keys), keys[0])]
    Missing {
        /// The file.
        file: String,
        /// The keys, with dots; at least one.
        keys: Vec<String>,
    },
    /// A parameter cannot be set to this value, or cannot be set at all.
    #[error("--set {key}={value}: {why}")]
    Set {
        /// The parameter as given.
        key: String,
        /// Its value as given.
        value: String,
        /// What is wrong, and what would be right.
        why: String,
    },
}

/// A core whose model has no vector unit was to count the cycles of vector instructions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the model of {0} has no vector unit, so it cannot count the cycles of vector instructions; take another core, or --core ideal to \
     count instructions alone"
)]
pub struct NoVectorUnit(pub String);

/// These keys as the subject of a sentence.
pub fn are(keys: &[String]) -> String {
    match keys {
        [only] => format!("{only} is"),
        [most @ .., last] => format!("{} and {last} are", most.join(", ")),
        [] => String::new(),
    }
}
