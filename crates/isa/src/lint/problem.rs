//! The problems of a value, as messages.

use super::MAX_VALUE_BYTES;
use crate::ext::ExtSet;
use std::fmt;

/// A difference between what a value says and what OpenSSL does with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The value starts like that of a 32-bit hart, but the parser does not read the start.
    Xlen(String),
    /// Names that are not separated by underscores; these extensions are lost.
    Unseparated(String, ExtSet),
    /// Words wholly or partly beyond the end of the parser's buffer, each once.
    Cut(Vec<String>),
    /// The first word names capabilities, but the parser does not read the first word.
    First(String, ExtSet),
    /// A word that is not an extension sets a capability because it begins with its name.
    Misread(String, ExtSet),
    /// An unknown word, with a suggestion or an empty string.
    Unknown(String, String),
    /// A minimum VLEN, which OpenSSL reads from `vlenb` instead.
    Vlen(String),
    /// Implied by the value, but the parser applies no implications.
    Implied(ExtSet),
    /// Vector capabilities without V: VLEN is then 0, and OpenSSL takes no vector path.
    NoV(ExtSet),
    /// The same in a text that does not say whether the hart has V; the proposal includes V.
    AssumedV(ExtSet),
    /// A draft of V and vector capabilities, which the proposal leaves out.
    Draft(String, ExtSet),
    /// No capability is named, and none is set.
    Off,
    /// A list of names, which is not a value.
    Names,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Xlen(word) => write!(
                f,
                "\"{word}\" names a 32-bit hart, but OpenSSL does not read it and runs its 64-bit code for what follows"
            ),
            Problem::Unseparated(word, e) => {
                write!(
                    f,
                    "\"{word}\": OpenSSL finds names only after an underscore, so {e} is lost"
                )
            }
            Problem::Cut(words) => {
                let words: Vec<String> = words.iter().map(|w| format!("\"{w}\"")).collect();
                let are = if words.len() == 1 { "is" } else { "are" };
                write!(f, "{} {are} cut off: OpenSSL reads only {MAX_VALUE_BYTES} characters", words.join(" "))
            }
            Problem::First(word, e) => {
                write!(f, "\"{word}\" names {e}, but OpenSSL finds names only after an underscore")
            }
            Problem::Misread(word, e) => {
                write!(f, "\"_{word}\" sets {e}, because it begins with that name")
            }
            Problem::Unknown(word, hint) => {
                write!(f, "\"{word}\" is not an extension that capvec knows and is ignored{hint}")
            }
            Problem::Vlen(word) => {
                write!(f, "\"{word}\" has no effect: OpenSSL reads VLEN from vlenb")
            }
            Problem::Implied(e) => {
                write!(f, "{e}: implied by the value, but OpenSSL applies no implications")
            }
            Problem::Draft(v, e) => write!(
                f,
                "\"{v}\" is a draft, whose instructions are not those of V 1.0. OpenSSL's code for {e} needs V 1.0, so the proposal \
                 has neither V nor {e}"
            ),
            Problem::Off => f.write_str(
                "the value sets nothing, and any value replaces detection, so OpenSSL runs without capabilities; \
                 unset the variable to let it detect them, or write rv64gc if that is intended",
            ),
            Problem::Names => f.write_str(
                "this is a list, not a value: OpenSSL finds names only after an underscore",
            ),
            Problem::AssumedV(e) => write!(
                f,
                "V is not named, and the text does not say whether the hart has it; OpenSSL does not use {e} without \"_v\", so the \
                 proposal has it: check the isa line of /proc/cpuinfo"
            ),
            Problem::NoV(e) if e.is_empty() => {
                f.write_str("V is not set: OpenSSL takes no vector path without \"_v\"")
            }
            Problem::NoV(e) => {
                write!(f, "V is not set: OpenSSL does not use {e} without \"_v\"")
            }
        }
    }
}
