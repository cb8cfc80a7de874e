//! What may be wrong with an ISA string.

use crate::draft_clash::Clash;
use crate::foreign_isa_string;
use crate::generated::names::PROFILES;

/// An error in an ISA string.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IsaError {
    /// The base is missing.
    #[error("ISA string \"{0}\": must begin with rv32, rv64 or a profile ({profiles})", profiles = profile_names())]
    Base(String),
    /// An unknown name.
    #[error(
        "{}unknown extension \"{word}\"{hint}; `capvec isa` lists the known ones{}",
        within(isa, word),
        own(word)
    )]
    Unknown {
        /// The complete string.
        isa: String,
        /// The word.
        word: String,
        /// A suggestion, or an empty string.
        hint: String,
    },
    /// An empty name.
    #[error("\"{0}\": an extension name is missing; remove the extra separator")]
    Empty(String),
    /// A ratified extension that is not modelled.
    #[error(
        "{}capvec does not model {word} ({title}); leave it out (`capvec isa` lists what it models)",
        within(isa, word)
    )]
    NotModelled {
        /// The complete string.
        isa: String,
        /// The word.
        word: String,
        /// Its description.
        title: &'static str,
    },
    /// A version before 1.0, that is, of an extension that was not ratified.
    #[error(
        "ISA string \"{isa}\": {word} has a version before 1.0, and capvec models only the ratified {name}; if {name} itself is \
         meant, leave the version out"
    )]
    Draft {
        /// The complete string.
        isa: String,
        /// The word.
        word: String,
        /// The word without its version.
        name: String,
    },
    /// A draft without a version, or with one that is not modelled.
    #[error("{}{}", within(isa, word), undated(word, family))]
    Undated {
        /// The complete string.
        isa: String,
        /// The word.
        word: String,
        /// The draft's name without a version.
        family: &'static str,
    },
    /// Two drafts with a common encoding or mnemonic.
    #[error(
        "ISA string \"{isa}\": {clash}; leave {} or {} out",
        clash.exts[0].name(), clash.exts[1].name()
    )]
    Clash {
        /// The complete string.
        isa: String,
        /// The instructions and their extensions.
        clash: Clash,
    },
    /// A repeated base letter.
    #[error("ISA string \"{isa}\": the letter {letter} appears twice; remove one")]
    Twice {
        /// The complete string.
        isa: String,
        /// The letter.
        letter: String,
    },
    /// Neither I nor G in the base.
    #[error("ISA string \"{0}\": the base must contain i or g")]
    NoBase(String),
}

/// The context of a word in an error: the whole string, unless they are equal.
fn within(isa: &str, word: &str) -> String {
    if isa == word { String::new() } else { format!("ISA string \"{isa}\": ") }
}

/// What is wrong with a draft that is named without a version, or with one that does not exist.
fn undated(word: &str, family: &str) -> String {
    let versions = foreign_isa_string::versions(family);
    if !word.eq_ignore_ascii_case(family) {
        return format!("there is no {word}; capvec has {versions}");
    }
    match versions.contains(',') {
        true => {
            format!("{word} is a draft, and its versions are not compatible; name one: {versions}")
        }
        false => format!("{word} is a draft; name its version: {versions}"),
    }
}

/// Names that begin with x are those of custom extensions, whose file may have been forgotten.
fn own(word: &str) -> &'static str {
    match word.strip_prefix(['x', 'X']) {
        Some(rest) if !rest.is_empty() => ", and --isa-file FILE adds your own",
        _ => "",
    }
}

fn profile_names() -> String {
    PROFILES.iter().map(|p| p.0).collect::<Vec<_>>().join(", ")
}
