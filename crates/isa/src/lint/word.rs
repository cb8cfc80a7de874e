//! The words of a value: what each means, and its problem.

use super::{Kind, Problem, known, vector};
use crate::ext::ExtSet;
use crate::foreign_isa_string::{self, Name};

/// The meaning of a word as an ISA string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// These extensions, including all that they imply.
    Exts(ExtSet),
    /// These extensions, including all that they imply; names are not separated by underscores.
    Unseparated(ExtSet),
    /// An empty word, between two underscores or before the first.
    Empty,
    /// Turned off by the text.
    Off,
    /// Not a known extension; with what to append to the error: a suggestion, or nothing.
    Unknown(String),
}

/// A word of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// As written.
    pub text: String,
    /// Whether it is before the first underscore, where the parser finds nothing.
    pub first: bool,
    /// Bytes of it that the parser reads.
    pub seen: usize,
    /// What it means as an ISA string.
    pub meaning: Meaning,
    /// The capabilities that the parser sets because of it.
    pub sets: ExtSet,
}

/// The meaning of a word, which may consist of names without underscores between them.
pub(super) fn meaning(text: &str, first: bool) -> Meaning {
    let whole = one(text, first);
    if !matches!(whole, Meaning::Unknown(_)) {
        return whole;
    }
    let parts = text.split(|c: char| !c.is_alphanumeric()).enumerate();
    let said = parts.filter_map(|(i, part)| match one(part, first && i == 0) {
        Meaning::Exts(e) => Some(e),
        _ => None,
    });
    said.reduce(ExtSet::union).map_or(whole, Meaning::Unseparated)
}

/// The meaning of a word that is a single name, or the start of an ISA string.
pub(super) fn one(text: &str, first: bool) -> Meaning {
    let lower = text.to_ascii_lowercase();
    if lower.is_empty() {
        return Meaning::Empty;
    }
    if first && let Some(base) = base(text) {
        return Meaning::Exts(base.exts);
    }
    match foreign_isa_string::name(&lower) {
        Name::Known(set) => Meaning::Exts(set),
        Name::Unknown(hint) => Meaning::Unknown(hint),
    }
}

/// The first word as the start of an ISA string, unless it contains other separators.
pub(super) fn base(first: &str) -> Option<foreign_isa_string::Base> {
    let plain = first.chars().all(char::is_alphanumeric);
    plain.then(|| foreign_isa_string::base(&first.to_ascii_lowercase()))?
}

/// The extensions that words name, with all that they imply.
pub(super) fn said(words: &[Word]) -> ExtSet {
    let all = words.iter().fold(ExtSet::EMPTY, |says, w| match &w.meaning {
        Meaning::Exts(e) | Meaning::Unseparated(e) => says.union(*e),
        _ => says,
    });
    all.closed()
}

/// The word for a draft of V, such as `v0p7`.
pub(super) fn draft_of_v(words: &[Word]) -> Option<String> {
    let is_draft = |text: &str| {
        let version = text.strip_prefix('v').filter(|v| foreign_isa_string::version(v) == v.len());
        version.is_some_and(foreign_isa_string::is_draft)
    };
    let unknown = |part: &str, first: bool| match base(part).filter(|_| first) {
        Some(base) => base.unknown.into_iter().map(|(word, _)| word).collect(),
        None => vec![part.to_ascii_lowercase()],
    };
    let parts = |w: &Word| -> Vec<String> {
        let parts = w.text.split(|c: char| !c.is_alphanumeric());
        parts.flat_map(|part| unknown(part, w.first)).collect()
    };
    words.iter().flat_map(parts).find(|text| is_draft(text))
}

/// The extensions that words name, without those of vectors if they name a draft of V: such a hart does not execute
/// code for V 1.0.
pub(super) fn executable(words: &[Word]) -> ExtSet {
    let says = said(words);
    if draft_of_v(words).is_some() { says.minus(vector()) } else { says }
}

impl Word {
    /// The problem of this word in a value that sets `all`, if any.
    pub(super) fn problem(&self, kind: Kind, all: ExtSet) -> Option<Problem> {
        let text = || self.text.clone();
        match &self.meaning {
            Meaning::Empty | Meaning::Off => None,
            // Reported once for all such words.
            Meaning::Exts(_) | Meaning::Unseparated(_) if self.seen < self.text.len() => None,
            Meaning::Unseparated(e) => {
                let lost = known().intersection(*e).minus(all);
                (!lost.is_empty()).then(|| Problem::Unseparated(text(), lost))
            }
            Meaning::Exts(e) if self.first => {
                let lost = known().intersection(*e).minus(all);
                (!lost.is_empty()).then(|| Problem::First(text(), lost))
            }
            Meaning::Exts(_) if self.text.to_ascii_lowercase().starts_with("zvl") => {
                (kind == Kind::Value).then(|| Problem::Vlen(text()))
            }
            Meaning::Exts(e) => {
                let extra = self.sets.minus(*e);
                (!extra.is_empty()).then(|| Problem::Misread(text(), extra))
            }
            // Other separators hide everything after them.
            Meaning::Unknown(_) if self.first && !self.text.chars().all(char::is_alphanumeric) => {
                Some(Problem::Unknown(text(), "; separate names by underscores".into()))
            }
            // The parser never reads the start of the value, so anything may be there.
            Meaning::Unknown(_) if self.first => None,
            Meaning::Unknown(hint) if self.sets.is_empty() => {
                Some(Problem::Unknown(text(), hint.clone()))
            }
            Meaning::Unknown(_) => Some(Problem::Misread(text(), self.sets)),
        }
    }
}
