//! What is wrong with a value, in words.

use super::LONGEST;
use crate::ext::ExtSet;
use std::fmt;

/// A difference between what a value says and what OpenSSL does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The value begins as that of a 32-bit hart, where the parser does not look.
    Xlen(String),
    /// Names with something else than underscores between, of which these are lost.
    Together(String, ExtSet),
    /// Words behind the end of the parser's buffer, wholly or in part, each once.
    Cut(Vec<String>),
    /// The first word names capabilities, where the parser does not look.
    First(String, ExtSet),
    /// A word that is no extension sets a capability, by its beginning.
    Misread(String, ExtSet),
    /// A word that nothing knows; with a near name, or nothing.
    Unknown(String, String),
    /// A least VLEN, which OpenSSL reads from `vlenb` instead.
    Vlen(String),
    /// Implied by what is written, but the parser implies nothing.
    Implied(ExtSet),
    /// Vector capabilities without V: VLEN is then 0, and no vector path is taken.
    NoV(ExtSet),
    /// No capability is named, and none set.
    Off,
    /// A list of names is no value.
    Names,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Xlen(word) => write!(
                f,
                "\"{word}\" says a 32-bit hart, but OpenSSL does not look at it: the 64-bit code of what follows runs"
            ),
            Problem::Together(word, e) => {
                write!(
                    f,
                    "\"{word}\": OpenSSL finds names only behind an underscore, so {e} is lost"
                )
            }
            Problem::Cut(words) => {
                let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
                let are = if words.len() == 1 { "is" } else { "are" };
                write!(f, "{} {are} cut off: OpenSSL reads {LONGEST} characters", words.join(" "))
            }
            Problem::First(word, e) => {
                write!(f, "\"{word}\" says {e}, but OpenSSL finds only what follows an underscore")
            }
            Problem::Misread(word, e) => {
                write!(f, "\"_{word}\" sets {e}, because it begins with that name")
            }
            Problem::Unknown(word, hint) => {
                write!(f, "\"{word}\" is no extension that capvec knows and is ignored{hint}")
            }
            Problem::Vlen(word) => {
                write!(f, "\"{word}\" tells OpenSSL nothing: it reads VLEN from vlenb")
            }
            Problem::Implied(e) => {
                write!(f, "{e}: implied by what is written, but OpenSSL implies nothing")
            }
            Problem::Off => f.write_str(
                "nothing is set, and any value replaces detection: OpenSSL runs without a single capability; \
                 unset the variable to have it detect, or write rv64gc if that is meant",
            ),
            Problem::Names => f.write_str(
                "this is a list, not a value: OpenSSL finds names only behind an underscore",
            ),
            Problem::NoV(e) if e.is_empty() => {
                f.write_str("V is not set: OpenSSL takes no vector path without \"_v\"")
            }
            Problem::NoV(e) => {
                write!(f, "V is not set: OpenSSL takes no path of {e} without \"_v\"")
            }
        }
    }
}
